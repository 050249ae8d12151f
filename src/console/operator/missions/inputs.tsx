/** The inputs of a mission before its result, as its kind lists them, in the words of its form; and the files that it was read from. */
import type { MissionRecord } from '../../../codec/api-missions.js';
import type { InputCell, InputTable } from '../../../kinds/inputs.js';
import { Facts, LazyDetails, Verbatim } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { type AnyWords, capital, labelOf as nameOfPath } from '../../kit/forms/labels.js';
import { kindViews, useKindWords, useLabels } from '../kinds/table.js';
import { useWords } from '../text/words.js';
import { provenanceOf } from '../../../kinds/provenance.js';

interface MemberLabel extends AnyWords {
  readonly members?: Readonly<Record<string, MemberLabel>>;
}

export function InputSection({ record }: { readonly record: MissionRecord }) {
  const { t, f } = useWords();
  const words = useKindWords()(record.kind);
  const view = kindViews[record.kind];
  const inputs = view.inputs(record.request);
  const fields: Readonly<Record<string, MemberLabel>> = { ...t.create.fields, ...words.fields };
  const others = { ...words.result, ...words.form } as Readonly<Record<string, unknown>>;
  const labelOf = (name: string, found: MemberLabel | undefined): string =>
    found?.label ?? (typeof others[name] === 'string' ? others[name] : capital(name));
  const shown = (value: InputCell, found: MemberLabel | undefined) =>
    typeof value === 'number' ? f.number(value) : <InputText text={found?.options?.[value ?? ''] ?? value ?? ''} />;
  return (
    <section aria-labelledby="inputs">
      <h2 id="inputs">{t.mission.input}</h2>
      {inputs === null && <p class="muted">{record.request === null ? t.mission.inputGone : t.mission.inputOther}</p>}
      {inputs !== null && (
        <Facts facts={inputs.facts.map(([member, value]) => [labelOf(member, fields[member]), shown(value, fields[member])])} />
      )}
      {view.input?.(record) ??
        inputs?.tables.map((table) => (
          <InputRows
            key={table.member}
            table={table}
            title={labelOf(table.member, fields[table.member])}
            labelOf={(column) => labelOf(column, fields[table.member]?.members?.[column])}
            shown={(value, column) => shown(value, fields[table.member]?.members?.[column])}
          />
        ))}
      <Files record={record} />
    </section>
  );
}

interface RowsProps {
  readonly table: InputTable;
  readonly title: string;
  readonly labelOf: (column: string) => string;
  readonly shown: (value: InputCell, column: string) => ReturnType<typeof InputText> | string;
}

/** Longer tables are closed at first, so that the result is near. */
const rows_open_max = 20;

function InputRows({ table: { columns, rows }, title, labelOf, shown }: RowsProps) {
  const { t, k, f } = useWords();
  const texts = columns.flatMap((_, x) => (rows.every((row) => typeof row[x] === 'number' || row[x] === null) ? [] : [x]));
  return (
    <LazyDetails prints open={rows.length <= rows_open_max} title={`${title} (${f.number(rows.length)})`}>
      {() => (
        <DataTable
          stacks={columns.length > 2}
          label={t.mission.input + k.colon + title}
          head={columns.map(labelOf)}
          texts={texts}
          rows={rows.map((row) => row.map((value, x) => (typeof value === 'string' ? shown(value, columns[x] ?? '') : value)))}
        />
      )}
    </LazyDetails>
  );
}

const text_chars_max = 300;

/** A text; a long one, such as a document, opens. */
function InputText({ text }: { readonly text: string }) {
  const { f } = useWords();
  if (text.length <= text_chars_max) return <span class="given pre-wrap">{text}</span>;
  return (
    <div class="given">
      <LazyDetails title={`${text.slice(0, 100).trimEnd()}… (${f.number(text.length)})`}>
        {() => <Verbatim wrap label={text.slice(0, 100)} text={text} />}
      </LazyDetails>
    </div>
  );
}

function Files({ record: { request, kind } }: { readonly record: MissionRecord }) {
  const { k, t, f } = useWords();
  const labels = useLabels(kind);
  const origin = provenanceOf(request);
  if (origin === null) return null;
  const { files, changed = [] } = origin;
  const { title, file, sheet, rows, reader, unnamed, byHand, notes } = t.files;
  const noted = files.flatMap((each) => each.notes);
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        isPlain
        stacks
        label={title}
        head={[file, sheet, rows, reader, 'SHA-256']}
        texts={[0, 1, 3, 4]}
        rows={files.map((each) => [
          each.name ?? unnamed,
          each.sheet ?? '–',
          each.rows === undefined ? '–' : f.number(each.rows),
          `${each.reader} ${each.version}`,
          <code class="break">{each.sha256}</code>,
        ])}
      />
      {changed.length > 0 && (
        <p class="notice notice-warn">
          {byHand(f.number(changed.length))} {changed.map((path) => nameOfPath(path, labels)).join(k.semicolon)}
        </p>
      )}
      {noted.length > 0 && (
        <LazyDetails title={notes}>
          {() => (
            <ul lang="en">
              {noted.map((note, i) => (
                <li key={i}>{note}</li>
              ))}
            </ul>
          )}
        </LazyDetails>
      )}
    </>
  );
}
