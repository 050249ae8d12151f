/** A new mission, by form or by file. */
import { useId, useState } from 'preact/hooks';
import * as limits from '../../../base/limits.js';
import type { FieldError } from '../../../base/refusal.js';
import { type Kind, kinds } from '../../../codec/kinds.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button, Segmented } from '../../kit/controls/inputs.js';
import { JsonDetails, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load.js';
import { useKindWords } from '../kinds/table.js';
import { useRights } from '../session/session.js';
import { useWords } from '../text/words.js';
import { ByForm, useQueue } from './by-form.js';
import { faultsOf } from './request.js';

export function CreatePage({ kind }: { readonly kind: Kind | null }) {
  const { t } = useWords();
  const { review } = useRights();
  const [way, setWay] = useState<'form' | 'file'>('form');
  if (!review)
    return (
      <>
        <PageTitle title={t.create.title} />
        <p class="notice">{t.review.viewer}</p>
      </>
    );
  return (
    <>
      <PageTitle title={t.create.title} />
      <p class="lead">{t.create.lead}</p>
      <Segmented
        label={t.create.how}
        options={[
          ['form', t.create.byForm],
          ['file', t.create.byFile],
        ]}
        value={way}
        choose={setWay}
      />
      {way === 'form' ? <ByForm kind={kind ?? 'research'} /> : <ByFile />}
    </>
  );
}

/** A mission file, dropped or chosen: checked here, then sent unchanged. */
interface Chosen {
  readonly name: string;
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly value: unknown;
  readonly faults: readonly FieldError[];
}

async function read(file: File, notJson: string, tooLarge: string): Promise<Chosen> {
  const failed = (message: string): Chosen => ({ name: file.name, text: '', value: undefined, faults: [{ path: '', message }] });
  if (file.size > limits.mission_file_bytes_max) return failed(tooLarge);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    const value = JSON.parse(text) as unknown;
    return { name: file.name, text, value, faults: faultsOf(value) };
  } catch (error) {
    return failed(`${notJson}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const kindOf = (value: unknown): Kind | null => {
  const work = (value as { readonly work?: { readonly kind?: unknown } } | null | undefined)?.work;
  return kinds.find((kind) => kind === work?.kind) ?? null;
};

function ByFile() {
  const { t } = useWords();
  const c = t.create;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { busy, problem, run, forget } = useAction();
  const queue = useQueue();
  const take = (file: File | undefined): void => {
    forget();
    if (file !== undefined) void read(file, c.notJson, c.tooLarge).then(setChosen);
  };
  return (
    <>
      <DropZone take={take} label={chosen === null ? c.drop : c.otherFile} />
      {chosen !== null && <Verdict chosen={chosen} />}
      {problem !== null && <ProblemBox title={t.failed.queue} problem={problem} />}
      {chosen !== null && chosen.faults.length === 0 && (
        <div class="actions">
          <Button class="primary" disabled={busy} onClick={() => run(() => queue(chosen.text, false))} text={c.submit} />
          <Button disabled={busy} onClick={() => run(() => queue(chosen.text, true))} text={c.submitRun} />
        </div>
      )}
      <CommandLine lines={[agentCli('run', chosen?.name ?? 'mission.json'), agentCli('examples', '--output', 'missions')]} />
    </>
  );
}

function DropZone({ take, label }: { readonly take: (file: File | undefined) => void; readonly label: string }) {
  const { t } = useWords();
  const [over, setOver] = useState(false);
  const id = useId();
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files[0]);
  };
  const drag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div class={`drop ${over ? 'drop-over' : ''}`} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
      <label for={id}>{label}</label>
      <input id={id} type="file" accept=".json,application/json" onChange={(event) => take(event.currentTarget.files?.[0])} />
      <p class="help">{t.create.dropHint}</p>
    </div>
  );
}

function Verdict({ chosen: { name, value, faults } }: { readonly chosen: Chosen }) {
  const { t } = useWords();
  const kindWords = useKindWords();
  const kind = kindOf(value);
  if (faults.length === 0)
    return (
      <div class="notice notice-good" role="status">
        <p>
          <strong>{name}</strong>: {t.create.fileGood(kind === null ? '' : kindWords(kind).name)}
        </p>
        <p>{(value as { readonly goal: string }).goal}</p>
        <JsonDetails title={t.mission.raw} value={value} />
      </div>
    );
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {name}: {t.create.fileBad}
      </p>
      <ul lang="en">
        {faults.map(({ path, message }) => (
          <li key={path + message}>
            {path !== '' && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
