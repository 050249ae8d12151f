/** The files of a new mission on the page: where they are dropped, chosen or pasted, and what was read of them. */
import { useEffect, useId } from 'preact/hooks';
import {
  type IntakeChoice,
  type IntakeDocument,
  type IntakeFault,
  type IntakeKind,
  intakeKinds,
  type IntakePreview,
  type ReadingOptions,
} from '../../../codec/api-intake.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { Button } from '../../kit/controls/inputs.js';
import { Scroll } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useKindWords } from '../kinds/table.js';
import { useWords } from '../text/words.js';
import { filesOfClipboard } from './drop.js';
import type { FileIntake, Reading } from './intake.js';

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
  const { files, reading, busy, problem } = intake;
  const announce = useAnnounce();
  const names = files.map(({ name }) => name).join(', ');
  const kindWords = useKindWords();
  useEffect(() => {
    if (reading?.outcome.outcome !== 'draft') return;
    const { documents, rows } = reading.outcome;
    announce(
      documents === undefined ? c.understood(names, f.number(rows)) : c.documents(f.number(documents.length), documents.length),
    );
  }, [reading]);
  return (
    <section class="intake" aria-label={c.files}>
      <div class="intake-head">
        <h2>{names}</h2>
        <Button class="small quiet" onClick={intake.clear} text={c.removeFiles} />
      </div>
      {busy && <p role="status">{c.reading}</p>}
      {problem !== null && <ProblemBox title={failed.read} problem={problem} />}
      {reading === null && !busy && problem === null && (
        <div class="intake-choice">
          <p>{c.whichKind}</p>
          <div class="actions">
            {intakeKinds.map((kind) => (
              <Button key={kind} onClick={() => choose(kind)} text={kindWords(kind).name} />
            ))}
          </div>
        </div>
      )}
      {reading !== null && <WhatWasRead reading={reading} name={names} read={(options) => intake.read(reading.kind, options)} />}
    </section>
  );
}

/** The flags of the command line that messages end with; on the page there are buttons, menus and fields for them. */
const flagsAtEnd =
  /[(:;,]?\s*(?:such as )?--(?:sheet|set|map|column|date-column|decimal|date-order|gaps|sum|mean|every|keep-partial|scale|unit)\b.*$/s;

/** Returns a message of the reader without what is for the command line. */
export const onPage = (message: string): string => message.replace(flagsAtEnd, '.');

interface ReadProps {
  readonly reading: Reading;
  readonly name: string;
  readonly read: (options: ReadingOptions) => void;
}

function WhatWasRead({ reading: { options, outcome }, name, read }: ReadProps) {
  const { c, f } = useCreateWords();
  const { notes, preview } = outcome;
  const documents = outcome.outcome === 'draft' ? (outcome.documents ?? []) : [];
  const faults = outcome.outcome === 'invalid' ? outcome.errors : [];
  return (
    <>
      {outcome.outcome === 'draft' && documents.length === 0 && <p>{c.understood(name, f.number(outcome.rows))}</p>}
      {outcome.outcome === 'choice_needed' &&
        outcome.choices.map((choice) => (
          <Question
            key={choice.about + choice.message}
            choice={choice}
            choose={(option) =>
              read({ ...options, ...option, ...merged('map', options, option), ...merged('scale', options, option) })
            }
          />
        ))}
      {faults.length > 0 && (
        <div class="problem" role="alert">
          <p class="problem-title">{c.notRead}</p>
          <ul lang="en">
            {faults.map(({ file, message }) => (
              <li key={file + message}>{onPage(message)}</li>
            ))}
          </ul>
        </div>
      )}
      {documents.length > 0 && <Documents documents={documents} />}
      {notes.length > 0 && (
        <ul class="intake-notes" lang="en">
          {notes.map((note) => (
            <li key={note}>{onPage(note)}</li>
          ))}
        </ul>
      )}
      {preview !== undefined && (
        <PreviewTable
          preview={preview}
          faults={faults}
          map={(column, member) => read({ ...options, map: { ...options.map, [column]: member } })}
        />
      )}
    </>
  );
}

/** Returns a member of options with what a choice adds to it. */
const merged = <M extends 'map' | 'scale'>(member: M, before: ReadingOptions, option: ReadingOptions) =>
  option[member] === undefined ? {} : { [member]: { ...before[member], ...option[member] } };

interface QuestionProps {
  readonly choice: IntakeChoice;
  readonly choose: (option: ReadingOptions) => void;
}

const Question = ({ choice: { message, readings }, choose }: QuestionProps) => (
  <div class="intake-choice" role="group" aria-label={onPage(message)} lang="en">
    <p>{onPage(message)}</p>
    <div class="actions">
      {readings.map(({ label, option }) => (
        <Button key={label} onClick={() => choose(option)} text={label} />
      ))}
    </div>
  </div>
);

function Documents({ documents }: { readonly documents: readonly IntakeDocument[] }) {
  const { c, f } = useCreateWords();
  return (
    <ul class="intake-documents">
      {documents.map(({ name, title, pages, blocks, notes }, i) => (
        <li key={`${i} ${name}`}>
          <strong>{name}</strong>
          {title !== name && <span> {title}</span>}
          <span class="help">
            {' '}
            {pages === undefined ? '' : `${c.pages(f.number(pages), pages)}, `}
            {c.blocks(f.number(blocks), blocks)}
          </span>
          {notes.length > 0 && (
            <ul class="help" lang="en">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

interface PreviewProps {
  readonly preview: IntakePreview;
  readonly faults: readonly IntakeFault[];
  /** Makes a column a member of the mission; empty leaves it out. */
  readonly map: (column: string, member: string) => void;
}

/** The table as it was read, with a menu at each column. */
function PreviewTable({ preview: { sheet, columns, rows, total }, faults, map }: PreviewProps) {
  const { c, f } = useCreateWords();
  const title = sheet === null ? c.preview : c.previewOf(sheet);
  /** A number tells the columns of a table apart that has several machines in a row. */
  const nameOfMember = (member: string): string => {
    const [, name = '', number = ''] = /^(.*?)(\d*)$/.exec(member) ?? [];
    return `${c.members[name] ?? name} ${number}`.trimEnd();
  };
  const isFaulty = (row: number, column: string): boolean =>
    faults.some((fault) => fault.column === column && fault.rows.includes(row));
  return (
    <>
      <p class="help">
        {title}. {rows.length < total ? c.firstRows(f.number(rows.length), f.number(total)) : ''}
      </p>
      <Scroll label={title}>
        <table class="data intake-preview" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{c.row}</th>
              {columns.map(({ name, member, members }) => (
                <th key={name} scope="col">
                  <span>{name === '' ? c.unnamed : name}</span>
                  <select
                    aria-label={c.columnIs(name)}
                    value={member ?? ''}
                    onChange={(event) => map(name, event.currentTarget.value)}
                  >
                    <option value="">{c.leftOut}</option>
                    {[...new Set([...(member === null ? [] : [member]), ...members])].map((each) => (
                      <option key={each} value={each}>
                        {nameOfMember(each)}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, cells }) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map(({ name }, col) => (
                  <td key={name} class={isFaulty(row, name) ? 'intake-bad' : ''}>
                    {cells[col]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
