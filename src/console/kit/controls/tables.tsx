/** Tables: of texts and figures, and lists that become a stack of cards on narrow screens. */
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useText } from '../text/context.js';
import { ButtonLink } from './inputs.js';
import { Scroll } from './pieces.js';
import { Quantity, TableTools } from './table-tools.js';

/** A date as people read it, and as programs do. */
export type DatedCell = { readonly date: string; readonly text: string };

type DataCell = ComponentChildren | DatedCell;

interface DataTableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** A number is shown in the reader's locale, and exact where the table is copied. */
  readonly rows: readonly (readonly DataCell[])[];
  /** Columns, counted from 0, that hold text. */
  readonly texts?: readonly number[];
  /** On narrow screens its rows become a stack of cards, so that no column is out of sight. */
  readonly stacks?: boolean;
  /** It is no data that people copy or save. */
  readonly isPlain?: boolean;
}

/** The first column names the row, numbers are aligned to the right. */
export function DataTable({ label, head, rows, texts = [0], stacks = false, isPlain = false }: DataTableProps) {
  const { f } = useText();
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <Scroll label={label}>
        <Table
          table={table}
          class={stacks ? 'data stack' : 'data'}
          caption={label}
          columns={head.map((name, i) => (texts.includes(i) ? name : { label: name, class: 'numeric' }))}
          rows={rows.map((cells, key) => ({ key, cells: cells.map((cell) => shownCell(cell, f.number)) }))}
        />
      </Scroll>
      {!isPlain && <TableTools label={label} table={table} />}
    </>
  );
}

function shownCell(cell: DataCell, number: (value: number) => string): ComponentChildren {
  if (typeof cell === 'number') return <Quantity value={cell} text={number(cell)} />;
  if (typeof cell !== 'object' || cell === null || !('date' in cell)) return cell;
  return <time dateTime={cell.date}>{cell.text}</time>;
}

export interface Column {
  readonly label: string;
  readonly class?: string;
  /** Its cells do without their name on a card. */
  readonly isBare?: boolean;
  /** The element that heads it, in place of the label. */
  readonly head?: ComponentChildren;
}

interface TableProps {
  readonly class: string;
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  /** A cell that is null stays empty. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[];
  /** The column, counted from 0, that names the row. */
  readonly named?: number;
  readonly busy?: boolean;
  readonly table?: RefObject<HTMLTableElement | null> | null;
}

/** Roles are spelled out because a table that is laid out as cards loses its own. */
function Table({ class: name, caption, columns: given, rows, named = 0, busy, table = null }: TableProps) {
  const columns = given.map((column): Column => (typeof column === 'string' ? { label: column } : column));
  return (
    <table ref={table} role="table" class={name} aria-busy={busy}>
      <caption class="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(
            ({ label, class: of, head }, i) =>
              head ?? (
                <th scope="col" role="columnheader" class={of} key={i}>
                  {label}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <tr role="row" key={key}>
            {cells.map((cell, i) => {
              const { label, class: of, isBare = false }: Column = columns[i] ?? { label: '' };
              const [Cell, own] =
                i === named
                  ? (['th', { scope: 'row', role: 'rowheader' }] as const)
                  : (['td', { role: 'cell', 'data-label': isBare || cell === null ? undefined : label }] as const);
              return (
                <Cell {...own} class={of} key={i}>
                  {cell}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A list, which becomes a stack of cards on narrow screens. */
export const ListTable = ({ name, ...rest }: Omit<TableProps, 'class' | 'table'> & { readonly name: string }) => (
  <Table class={`list list-${name}`} {...rest} />
);

interface CountsProps {
  readonly label: string;
  readonly items: readonly { readonly href: string; readonly text: ComponentChildren; readonly isCurrent: boolean }[];
}

/** Links to the parts of a list, such as its states. */
export const Counts = ({ label, items }: CountsProps) => (
  <nav aria-label={label}>
    <ul class="counts">
      {items.map(({ href, text, isCurrent }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent ? 'true' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

type Target = readonly [href: string, text: string];

type PagerProps = { readonly label: string; readonly first: Target | null; readonly next: Target | null };

/** Links to the first and to the next part of a list; nothing for a list that is whole. */
export function Pager({ label, first, next }: PagerProps) {
  if (first === null && next === null) return null;
  return (
    <nav class="pager" aria-label={label}>
      {first !== null && <ButtonLink href={first[0]} text={`← ${first[1]}`} />}
      {next !== null && <ButtonLink href={next[0]} text={`${next[1]} →`} />}
    </nav>
  );
}

/** A share of one as a bar beside its figure; the figure says it, the bar only shows it. */
export function Bar({ share, tone = '' }: { readonly share: number; readonly tone?: string }) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return (
    <svg class={`bar ${tone}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-room" x="0" y="0" width="100" height="8" />
      <rect class="bar-fill" x="0" y="0" width={width} height="8" />
    </svg>
  );
}

/** A name over the bar of its share. */
export const BarName = ({ name, share, lang }: { readonly name: string; readonly share: number; readonly lang?: string }) => (
  <span class="bar-name" lang={lang}>
    {name}
    <Bar share={share} />
  </span>
);
