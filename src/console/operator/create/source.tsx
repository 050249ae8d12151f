/** The files of a new mission on the page: where they are dropped, chosen or pasted, and what was read of them. */
import { useEffect, useId, useState } from 'preact/hooks';
import {
  intake_files_max,
  type IntakeChoice,
  type IntakeDocument,
  type IntakeKind,
  intakeKinds,
  type IntakeOptions,
  type TemplateFormat,
  templateFormat,
  type TemplateKind,
  templateKind,
  withOptions,
} from '../../../codec/api-intake.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { saveBlob } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { ProblemBox } from '../../kit/controls/pieces.js';
import { useKindWords } from '../kinds/table.js';
import { useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { filesOfClipboard } from './drop.js';
import type { FileIntake, Reading } from './intake.js';
import { Menus, PreviewTable } from './preview.js';

interface ZoneProps {
  readonly isOver: boolean;
  readonly hasFiles: boolean;
  readonly take: (files: readonly File[]) => void;
}

export function FileZone({ isOver, hasFiles, take }: ZoneProps) {
  const { c } = useCreateWords();
  const id = useId();
  const paste = (event: ClipboardEvent): void => {
    const files = event.clipboardData === null ? [] : filesOfClipboard(event.clipboardData, c.pasted);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  };
  return (
    <div class={`drop ${isOver ? 'drop-over' : ''}`}>
      <label for={id}>{hasFiles ? c.otherFile : c.drop}</label>
      <input
        id={id}
        type="file"
        multiple
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same file may be chosen again, after it was corrected.
          event.currentTarget.value = '';
          take(files);
        }}
      />
      <p id={`${id}-hint`} class="help">
        {c.dropHint}
      </p>
      <label for={`${id}-paste`}>{c.paste}</label>
      <textarea id={`${id}-paste`} rows={2} placeholder={c.pasteHint} value="" onPaste={paste} />
      {!hasFiles && <Templates />}
    </div>
  );
}

/** The example of each kind that is made from a table, as a spreadsheet to fill in. */
function Templates() {
  const { c, failed } = useCreateWords();
  const { api, busy, problem, run } = useTask();
  const kindWords = useKindWords();
  const save = async (kind: TemplateKind, format: TemplateFormat): Promise<void> => {
    const { blob, name } = await api.download(`/api/templates/${kind}/${format}`);
    saveBlob(blob, name);
  };
  return (
    <div class="actions">
      <span class="help">{c.templates}</span>
      {templateKind.choices.flatMap((kind) =>
        templateFormat.choices.map((format) => (
          <Button
            key={kind + format}
            class="small quiet"
            disabled={busy}
            onClick={() => run(() => save(kind, format))}
            text={`${kindWords(kind).name} (${format.toUpperCase()})`}
          />
        )),
      )}
      {problem !== null && <ProblemBox title={failed.read} problem={problem} />}
    </div>
  );
}

const useCreateWords = () => {
  const { t, ...text } = useWords();
  return { ...text, c: t.create, failed: t.failed };
};

interface PanelProps {
  readonly intake: FileIntake;
  /** Chooses the kind of mission that the files become. */
  readonly choose: (kind: IntakeKind) => void;
}

/** What was read of the files, and what a person decides about them. */
export function FilesPanel({ intake, choose }: PanelProps) {
  const { c, f, failed } = useCreateWords();
  const { files, reading, busy, sent, problem } = intake;
  const announce = useAnnounce();
  const names = files.map(({ name }) => name).join(', ');
  const documents = reading?.outcome.outcome === 'draft' ? (reading.outcome.documents ?? []) : [];
  const kindWords = useKindWords();
  useEffect(() => {
    if (reading?.outcome.outcome !== 'draft') return;
    const { documents, rows } = reading.outcome;
    announce(
      documents === undefined ? c.understood(names, f.number(rows)) : c.documents(f.number(documents.length), documents.length),
    );
  }, [reading]);
  return (
    <section class="card intake" aria-label={c.files}>
      <div class="title-row">
        <h2>{files.length > 1 ? c.files : names}</h2>
        <Button class="small quiet" onClick={intake.clear} text={c.removeFiles} />
      </div>
      {(files.length > 1 || documents.length > 0) && files.length <= intake_files_max && (
        <Files names={files.map(({ name }) => name)} documents={documents} remove={intake.remove} />
      )}
      {busy && <p role="status">{sent === null ? c.reading : c.sending}</p>}
      {busy && sent !== null && <progress max={1} value={sent} aria-label={c.sending} />}
      {problem !== null && <ProblemBox title={failed.read} problem={problem} />}
      {reading === null && !busy && problem === null && (
        <div class="intake-choice">
          <p role="status">{c.whichKind}</p>
          <div class="actions">
            {intakeKinds.map((kind) => (
              <Button key={kind} onClick={() => choose(kind)} text={kindWords(kind).name} />
            ))}
          </div>
        </div>
      )}
      {reading !== null && (
        <WhatWasRead
          reading={reading}
          name={names}
          isOne={files.length === 1}
          read={(options) => intake.read(reading.kind, options)}
        />
      )}
    </section>
  );
}

interface ReadProps {
  readonly reading: Reading;
  readonly name: string;
  /** It is one file, whose name faults need not repeat. */
  readonly isOne: boolean;
  readonly read: (options: IntakeOptions) => void;
}

function WhatWasRead({ reading, name, isOne, read }: ReadProps) {
  const { c, f } = useCreateWords();
  const { options, outcome } = reading;
  const { notes, preview } = outcome;
  const isTable = outcome.outcome === 'draft' && outcome.documents === undefined;
  const faults = outcome.outcome === 'invalid' ? outcome.errors : [];
  return (
    <>
      {isTable && <p>{c.understood(name, f.number(outcome.rows))}</p>}
      {outcome.outcome === 'choice_needed' &&
        outcome.choices.map((choice) => (
          <Question key={choice.about + choice.message} choice={choice} choose={(option) => read(withOptions(options, option))} />
        ))}
      {faults.length > 0 && (
        <div class="problem" role="alert">
          <p class="problem-title">{preview === undefined ? c.notReadAtAll : c.notRead}</p>
          <ul lang="en">
            {faults.map(({ file, message }) => (
              <li key={file + message}>{isOne ? message : `${file}: ${message}`}</li>
            ))}
          </ul>
        </div>
      )}
      {notes.length > 0 && (
        <ul class="marked intake-notes" lang="en">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {preview !== undefined && (
        <>
          <Menus reading={reading} preview={preview} read={read} />
          <PreviewTable
            kind={reading.kind}
            preview={preview}
            faults={faults}
            map={(column, member) => read({ ...options, map: { ...options.map, [column]: member } })}
          />
        </>
      )}
    </>
  );
}

interface QuestionProps {
  readonly choice: IntakeChoice;
  readonly choose: (option: IntakeOptions) => void;
}

/** A question that a file leaves open, with a button for each answer. The message and the labels of the reader are in English. */
function Question({ choice: { about, message, readings }, choose }: QuestionProps) {
  const { c } = useCreateWords();
  const scale = about === 'risk' ? readings[0]?.option.scale : undefined;
  return (
    <div class="intake-choice" role="group" aria-label={c.asks[about]}>
      <p role="status">{c.asks[about]}</p>
      <p class="help" lang="en">
        {message}
      </p>
      {scale === undefined ? (
        <div class="actions">
          {readings.map(({ label, option }) => {
            const own = c.answers[option.gaps ?? (option.sum === true ? 'sum' : option.mean === true ? 'mean' : '')];
            return <Button key={label} onClick={() => choose(option)} text={own ?? <span lang="en">{label}</span>} />;
          })}
        </div>
      ) : (
        <Scale proposed={scale} choose={choose} />
      )}
    </div>
  );
}

interface ScaleProps {
  readonly proposed: Readonly<Record<string, number>>;
  readonly choose: (option: IntakeOptions) => void;
}

/** A number for each word of a column. */
function Scale({ proposed, choose }: ScaleProps) {
  const { c } = useCreateWords();
  const [scale, setScale] = useState(proposed);
  const pairs = Object.entries(scale);
  return (
    <div class="actions">
      {pairs.map(([word, number]) => (
        <label key={word} class="pair intake-word">
          {word}
          <input
            type="number"
            step="any"
            value={number}
            onInput={({ currentTarget: { valueAsNumber } }) =>
              Number.isFinite(valueAsNumber) && setScale({ ...scale, [word]: valueAsNumber })
            }
          />
        </label>
      ))}
      <Button
        onClick={() => choose({ scale })}
        text={c.useScale(pairs.map(([word, number]) => `${word}=${number}`).join(', '))}
      />
    </div>
  );
}

interface FilesProps {
  readonly names: readonly string[];
  /** What was read of each; empty before, and for a table. */
  readonly documents: readonly IntakeDocument[];
  readonly remove: (place: number) => void;
}

function Files({ names, documents, remove }: FilesProps) {
  const { c, f } = useCreateWords();
  return (
    <ul class="marked intake-documents">
      {names.map((name, i) => {
        const { title = name, pages, blocks } = documents[i] ?? {};
        return (
          <li key={`${i} ${name}`}>
            <strong>{name}</strong>
            {title !== name && <span> {title}</span>}
            {blocks !== undefined && (
              <span class="help">
                {' '}
                {pages === undefined ? '' : `${c.pages(f.number(pages), pages)}, `}
                {c.blocks(f.number(blocks), blocks)}
              </span>
            )}
            {names.length > 1 && (
              <Button class="small quiet" aria-label={c.removeFile(name)} onClick={() => remove(i)} text={c.removeFiles} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
