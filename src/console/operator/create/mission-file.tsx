/** A mission file, dropped or chosen: checked here, then sent unchanged. */
import { type FieldError, messageOf } from '../../../base/refusal.js';
import * as limits from '../../../base/limits.js';
import { type Kind, kinds } from '../../../codec/kinds.js';
import { Button } from '../../kit/controls/inputs.js';
import { JsonDetails } from '../../kit/controls/pieces.js';
import { FieldErrors, ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load.js';
import { useKindWords } from '../kinds/table.js';
import { useWords } from '../text/words.js';
import { useQueue } from './queue.js';
import { faultsOf } from './request.js';

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
