/** What people do with a table: copy it into a spreadsheet, or save it as CSV. Numbers are exact there, however the page rounds them. */
import type { RefObject } from 'preact';
import { csvText } from '../../../reports/csv.js';
import type { Cell, Row } from '../../../reports/content.js';
import { escaped } from '../../../reports/text.js';
import { useText } from '../text/context.js';
import { useAnnounce } from './announce.js';
import { copyText, fileNameOf, saveBlob } from './copy.js';
import { Button } from './inputs.js';

/** A number as people read it, with the exact one behind it. */
export const Quantity = ({ value, text }: { readonly value: number; readonly text: string }) => <data value={value}>{text}</data>;

/** A share of one, as a percentage. */
export function Share({ value }: { readonly value: number }) {
  const { f } = useText();
  return <Quantity value={value} text={f.percent(value)} />;
}

/** Returns what a cell holds: its numbers, its date, or its text; several numbers are several columns. */
function cellsOf(cell: Element): readonly Cell[] {
  const numbers = [...cell.querySelectorAll('data')].map(({ value }) => Number(value));
  if (numbers.length > 0) return numbers;
  const date = cell.querySelector('time')?.dateTime;
  if (date !== undefined) return [{ date }];
  const text = (cell instanceof HTMLElement ? cell.innerText : '').trim();
  return [/^–(?:\n|$)/.test(text) ? null : text];
}

/** Returns the rows of a table, the first of which is its head. @param parts the names of a column's parts, where it has two */
function rowsOf(table: HTMLTableElement, parts: readonly [string, string]): Row[] {
  const [head = [], ...rows] = Array.from(table.rows, ({ cells }) => Array.from(cells, cellsOf));
  const widths = head.map((_, i) => Math.max(1, ...rows.map((row) => row[i]?.length ?? 1)));
  const padded = (cells: readonly Cell[], i: number): Row => [
    ...cells,
    ...Array.from({ length: (widths[i] ?? 1) - cells.length }, () => null),
  ];
  const names = head.map(
    ([name = null], i): Row => (widths[i] === 2 ? parts.map((part) => `${shown(name)} ${part}`) : padded([name], i)),
  );
  return [names.flat(), ...rows.map((row) => row.flatMap(padded))];
}

const shown = (cell: Cell): string => (typeof cell === 'object' ? (cell?.date ?? '') : String(cell)).replaceAll(/\s+/g, ' ');

/** Returns a table for the clipboard; the attributes tell Excel and LibreOffice what a number is, whatever their decimal separator. */
const htmlOf = (rows: readonly Row[]): string =>
  `<table>${rows
    .map((row) => {
      const cells = row.map((cell) => {
        const exact = typeof cell === 'number' ? ` x:num="${cell}" sdval="${cell}"` : '';
        return `<td${exact}>${escaped(shown(cell))}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('')}</table>`;

async function copyRows(rows: readonly Row[]): Promise<boolean> {
  const text = rows.map((row) => row.map(shown).join('\t')).join('\n');
  // Over plain HTTP on another host there is no clipboard, and some browsers take text alone.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined && typeof ClipboardItem !== 'undefined') {
      const as = (type: string, content: string) => ({ [type]: new Blob([content], { type }) });
      await clipboard.write([new ClipboardItem({ ...as('text/plain', text), ...as('text/html', htmlOf(rows)) })]);
      return true;
    }
  } catch {
    // Refused by the browser: the text alone is tried.
  }
  return copyText(text);
}

export function TableTools({ label, table }: { readonly label: string; readonly table: RefObject<HTMLTableElement | null> }) {
  const { k } = useText();
  const announce = useAnnounce();
  const rows = (): Row[] => (table.current === null ? [] : rowsOf(table.current, [k.table.from, k.table.to]));
  const copy = async (): Promise<void> => announce((await copyRows(rows())) ? k.copied : k.notCopied);
  const save = (): void => saveBlob(new Blob([csvText(rows())], { type: 'text/csv;charset=utf-8' }), fileNameOf(label, 'csv'));
  const named = (text: string) => (
    <>
      {text}
      <span class="sr-only">: {label}</span>
    </>
  );
  return (
    <div class="table-tools" data-screen-only>
      <Button class="small quiet" onClick={() => void copy()} text={named(k.table.copy)} />
      <Button class="small quiet" onClick={save} text={named(k.table.csv)} />
    </div>
  );
}
