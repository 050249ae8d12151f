/** Tables: of texts and figures, and lists that become a stack of cards on narrow screens. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useText } from '../text/context.js';
import { ButtonLink } from './inputs.js';
import { Scroll } from './pieces.js';
import { Quantity, TableTools } from './table-tools.js';

/** A date as people read it, and as programs do. */
export interface DatedCell {
  readonly date: string;
  readonly text: string;
}

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

/** The first column names the row, numbers are aligned to the right. Roles are spelled out because a table that is laid out as cards loses its own. */
export function DataTable({ label, head, rows, texts = [0], stacks = false, isPlain = false }: DataTableProps) {
  const { f } = useText();
  const table = useRef<HTMLTableElement>(null);
  const of = (column: number): string => (texts.includes(column) ? '' : 'numeric');
  return (
    <>
      <Scroll label={label}>
        <table ref={table} role="table" class={stacks ? 'data stack' : 'data'}>
          <caption class="sr-only">{label}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {head.map((name, i) => (
                <th scope="col" role="columnheader" class={of(i)} key={i}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((cells, r) => (
              <tr role="row" key={r}>
                {cells.map((cell, i) => {
                  const [Cell, scope] =
                    i === 0
                      ? (['th', { scope: 'row', role: 'rowheader' }] as const)
                      : (['td', { role: 'cell', 'data-label': head[i] }] as const);
                  return (
                    <Cell {...scope} class={of(i)} key={i}>
                      {shownCell(cell, f.number)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
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

export interface ListColumn {
  readonly label: string;
  /** The class of its cells. */
  readonly class?: string;
  /** Its cells do without their name on a card. */
  readonly isBare?: boolean;
  /** The element that heads it, in place of the label. */
  readonly head?: ComponentChildren;
}

interface ListProps {
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly (string | ListColumn)[];
  /** A cell that is null stays empty. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[];
  /** The column, counted from 0, that names the row. */
  readonly named?: number;
  readonly busy?: boolean;
}

/** A list. Roles are spelled out because a table that is laid out as cards loses its own. */
export function ListTable({ name, caption, columns: given, rows, named = 0, busy }: ListProps) {
  const columns = given.map((column): ListColumn => (typeof column === 'string' ? { label: column } : column));
  return (
    <table role="table" class={`list list-${name}`} aria-busy={busy}>
      <caption class="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(
            ({ label, head }) =>
              head ?? (
                <th scope="col" role="columnheader" key={label}>
                  {label}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <tr role="row" key={key}>
            {cells.map((cell, i) => (
              <ListCell key={i} column={columns[i]} isName={i === named} cell={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly column: ListColumn | undefined;
  readonly isName: boolean;
  readonly cell: ComponentChildren;
}

function ListCell({ column, isName, cell }: CellProps) {
  if (isName)
    return (
      <th scope="row" role="rowheader" class={column?.class}>
        {cell}
      </th>
    );
  if (cell === null) return <td role="cell" />;
  return (
    <td role="cell" data-label={column?.isBare === true ? undefined : column?.label} class={column?.class}>
      {cell}
    </td>
  );
}

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

/** Links to the first and to the next part of a list. */
export function Pager({
  label,
  first,
  next,
}: {
  readonly label: string;
  readonly first: Target | null;
  readonly next: Target | null;
}) {
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
