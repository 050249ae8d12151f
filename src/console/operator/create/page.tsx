/** A new mission, by form, from people's own files, or from a mission file. */
import { useEffect, useState } from 'preact/hooks';
import { intakeKind } from '../../../codec/api-intake.js';
import { type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { type Kind, kinds } from '../../../codec/kinds.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { FieldErrors, JsonDetails, Load, PageTitle, ProblemBox } from '../../kit/controls/pieces.js';
import { keptForm } from '../../kit/forms/kept.js';
import { hrefOf } from '../session/route.js';
import { replaceRoute, useGet, useLasting, useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { ByForm, type FormState } from './by-form.js';
import { useDroppedFiles, usePastedFiles } from './drop.js';
import { type FileIntake, useIntake } from './intake.js';
import { FilesPanel, FileZone } from './source.js';
import { type FieldError, messageOf } from '../../../base/refusal.js';
import * as limits from '../../../base/limits.js';
import { useAction } from '../../kit/load.js';
import { useKindWords } from '../kinds/table.js';
import { useQueue } from './queue.js';
import { faultsOf } from './request.js';

interface CreateProps {
  readonly kind: Kind | null;
  /** The mission whose request is changed, or null. */
  readonly from: string | null;
}

export function CreatePage({ kind, from }: CreateProps) {
  const { t } = useWords();
  const { review } = useRights();
  const newMission = from === null ? <NewMission kind={kind} origin={null} /> : <FromMission id={from} />;
  return (
    <>
      <PageTitle title={t.create.title} />
      {review ? newMission : <p class="notice">{t.review.viewer}</p>}
    </>
  );
}

/** The form with the request of another mission; what was said against that one is above it. */
function FromMission({ id }: { readonly id: string }) {
  const { t } = useWords();
  const form = (origin: MissionRecord) => (
    <>
      <div class="notice">
        <p>
          {t.create.from} <a href={hrefOf({ page: 'mission', id })}>{origin.goal}</a>
        </p>
        {origin.review?.approved === false && <blockquote class="note">{origin.review.note}</blockquote>}
      </div>
      <NewMission kind={origin.kind} origin={origin} />
    </>
  );
  return (
    <Load from={useGet(`/api/missions/${id}`, missionRecordCodec)} failed={t.failed.mission}>
      {(origin) => (origin.request === null ? <p class="notice notice-warn">{t.mission.erased}</p> : form(origin))}
    </Load>
  );
}

function ByMissionFile({ file, leave }: { readonly file: MissionFile; readonly leave: () => void }) {
  const { t } = useWords();
  return (
    <>
      <MissionFilePanel file={file} sent={leave} />
      <div class="actions">
        <Button class="quiet" onClick={leave} text={t.create.byForm} />
      </div>
      <CommandLine lines={[agentCli('run', file.name), agentCli('examples', '--output', 'missions')]} />
    </>
  );
}

const choose = (kind: Kind): void => replaceRoute({ page: 'create', kind });

/** Chooses the kind that the files or what was typed before have, and reads the files again as the kind that a person chooses. */
function useKind(kind: Kind | null, isNew: boolean, { files, reading, read }: FileIntake): void {
  const { wishes } = useSession();
  useEffect(() => {
    const left = keptForm<FormState>('')?.kind;
    const isOpen = kind === null && isNew && files.length === 0 && wishes.files.length === 0;
    if (isOpen && left !== undefined) choose(left);
    if (files.length > 0 && intakeKind.is(kind) && reading?.kind !== kind) read(kind);
  }, [kind]);
  // Documents choose research by themselves.
  useEffect(() => {
    if (reading !== null && kind === null) choose(reading.kind);
  }, [reading]);
}

function NewMission({ kind, origin }: { readonly kind: Kind | null; readonly origin: MissionRecord | null }) {
  const { t } = useWords();
  const c = t.create;
  const { wishes } = useSession();
  const from = origin?.id ?? '';
  const [missionFile, setMissionFile] = useLasting<MissionFile | null>(`mission file ${from}`, null);
  const intake = useIntake(from);
  const { reading } = intake;
  const [restored] = useState(reading);
  const take = (files: readonly File[]): void => {
    const [first] = files;
    if (first === undefined) return;
    const isMission = files.length === 1 && isMissionFile(first);
    if (!isMission) {
      setMissionFile(null);
      intake.take(files, kind);
      return;
    }
    intake.clear();
    void readMissionFile(first, c).then(setMissionFile);
  };
  const isOver = useDroppedFiles(true, take);
  useKind(kind, origin === null, intake);
  usePastedFiles(c.pasted, take);
  useEffect(() => {
    const { files } = wishes;
    wishes.files = [];
    if (files.length > 0) take(files);
  }, []);
  const source = reading !== null && reading.outcome.outcome === 'draft' && reading.kind === kind ? reading : null;
  const zone = <FileZone isOver={isOver} hasFiles={intake.files.length > 0 || missionFile !== null} take={take} />;
  return (
    <>
      <p class="lead">{c.lead}</p>
      <p class="print-only">{c.notPrinted}</p>
      {missionFile === null ? (
        <ByForm
          origin={origin}
          kind={kind}
          files={intake.files.map(({ name }) => name)}
          options={reading?.kind === kind ? reading.options : {}}
          source={source}
          restored={restored}
          sendAgain={intake.sendAgain}
          forgetFiles={intake.clear}
        >
          {zone}
          {intake.files.length > 0 && <FilesPanel intake={intake} choose={choose} />}
        </ByForm>
      ) : (
        <>
          {zone}
          <ByMissionFile file={missionFile} leave={() => setMissionFile(null)} />
        </>
      )}
    </>
  );
}

// A mission file, dropped or chosen: checked here, then sent unchanged.

export interface MissionFile {
  readonly name: string;
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly value: unknown;
  readonly faults: readonly FieldError[];
}

export const isMissionFile = ({ name, type }: File): boolean => type === 'application/json' || /\.json$/i.test(name);

/** Returns the text without a byte order mark; null for bytes that are none. */
function utf8Of(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What is said of files that are no mission files. */
type FileWords = Readonly<Record<'notJson' | 'notText' | 'tooLarge', string>>;

export async function readMissionFile(file: File, { notJson, notText, tooLarge }: FileWords): Promise<MissionFile> {
  const failed = (message: string): MissionFile => ({
    name: file.name,
    text: '',
    value: undefined,
    faults: [{ path: '', message }],
  });
  if (file.size > limits.mission_file_bytes_max) return failed(tooLarge);
  const text = utf8Of(await file.arrayBuffer());
  if (text === null) return failed(notText);
  try {
    const value = JSON.parse(text) as unknown;
    return { name: file.name, text, value, faults: faultsOf(value) };
  } catch (error) {
    return failed(`${notJson}: ${messageOf(error)}`);
  }
}

const kindOf = (value: unknown): Kind | null => {
  const work = (value as { readonly work?: { readonly kind?: unknown } } | null | undefined)?.work;
  return kinds.find((kind) => kind === work?.kind) ?? null;
};

/** @param sent called once its mission is queued */
export function MissionFilePanel({ file, sent }: { readonly file: MissionFile; readonly sent: () => void }) {
  const { t } = useWords();
  const { busy, problem, run } = useAction();
  const queue = useQueue();
  const send = (execute: boolean): void => run(async () => (await queue(file.text, execute), sent()));
  return (
    <>
      <Verdict file={file} />
      {problem !== null && <ProblemBox title={t.failed.queue} problem={problem} />}
      {file.faults.length === 0 && (
        <div class="actions">
          <Button class="primary" disabled={busy} onClick={() => send(false)} text={t.create.submit} />
          <Button disabled={busy} onClick={() => send(true)} text={t.create.submitRun} />
        </div>
      )}
    </>
  );
}

function Verdict({ file: { name, value, faults } }: { readonly file: MissionFile }) {
  const { t, k } = useWords();
  const kindWords = useKindWords();
  const kind = kindOf(value);
  if (faults.length === 0)
    return (
      <div class="notice notice-good" role="status">
        <p>
          <strong>{name}</strong>
          {k.colon + t.create.fileGood(kind === null ? '' : kindWords(kind).name)}
        </p>
        <p>{(value as { readonly goal: string }).goal}</p>
        <JsonDetails title={t.mission.raw} value={value} />
      </div>
    );
  return (
    <div class="problem" role="alert">
      <p class="problem-title">{name + k.colon + t.create.fileBad}</p>
      <FieldErrors errors={faults} />
    </div>
  );
}
