/** A table that is edited in its cells, by keyboard, mouse and clipboard. Of its rows only those that are seen are in the page. */
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { Button } from '../controls/inputs.js';
import { FaultsContext, WholeFaults } from '../forms/fields.js';
import { isWithin } from '../forms/labels.js';
import { useNewest } from '../load.js';
import { useText } from '../text/context.js';
import { blockOf, type Cells, copied, type GridColumn, isInside, type Place } from './cells.js';
import { movingKey, typingKey } from './keys.js';
import { type Grid, useGrid } from './state.js';

interface GridProps {
  /** The path of the table's values in the mission file. */
  readonly path: string;
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rows: Cells;
  readonly set: (rows: Cells) => void;
  /** Returns the cell that a path belongs to; null for the table as a whole. */
  readonly cellOf: (path: string) => Place | null;
  /** What rows are called in place of their numbers, and what these names are. */
  readonly rowNames?: { readonly label: string; readonly of: (row: number) => string } | undefined;
}

/** In units of the root's font size. */
const row_rem = 2;
const rows_around = 6;
const rows_seen = 14;
const width_rows = 200;
const [width_ch_min, width_ch_max] = [7, 30];

/** Returns the width of the rows' names, and those of the columns by what their first rows hold. */
const widthsOf = ({ columns, rows, rowNames }: GridProps): string =>
  `${Math.max(width_ch_min, rowNames?.of(0).length ?? 0) + 2}ch ${columns
    .map(({ label }, col) => {
      const longest = rows.slice(0, width_rows).reduce((most, row) => Math.max(most, (row[col] ?? '').length), label.length);
      return `minmax(${Math.max(width_ch_min, Math.min(width_ch_max, longest)) + 3}ch, 1fr)`;
    })
    .join(' ')}`;

/** Returns the faults by their cell, and those of the table as a whole. */
function faultsByCell(faults: readonly FieldError[], cellOf: GridProps['cellOf']) {
  const cells = new Map<string, string>();
  const whole: string[] = [];
  for (const { path, message } of faults) {
    const place = cellOf(path);
    if (place === null) whole.push(message);
    else cells.set(`${place.row} ${place.col}`, message);
  }
  return { cells, whole };
}

/** A table of a form, under its title. */
export const TableField = ({ title, ...grid }: Omit<GridProps, 'label'> & { readonly title: string }) => (
  <fieldset class="rows">
    <legend>{title}</legend>
    <GridField {...grid} label={title} />
  </fieldset>
);

function GridField(props: GridProps) {
  const { path, columns, rows, set, cellOf } = props;
  const { k } = useText();
  const all = useContext(FaultsContext);
  const { cells, whole } = useMemo(
    () =>
      faultsByCell(
        all.filter((fault) => isWithin(fault.path, path)),
        cellOf,
      ),
    [all, path, cellOf],
  );
  const grid = useGrid({ rows, set, width: columns.length });
  const id = useId();
  const { row, col } = grid.active;
  return (
    <div>
      <WholeFaults messages={whole} />
      <Table {...props} id={id} grid={grid} faults={cells} />
      <p id={`${id}-fault`} class="field-error grid-fault" role="status">
        {cells.has(`${row} ${col}`) && (
          <>
            {k.grid.cell(columns[col]?.label ?? '', String(row + 1))}: <span lang="en">{cells.get(`${row} ${col}`)}</span>
          </>
        )}
      </p>
      <div class="actions">
        <Button class="small" onClick={grid.addRow} text={k.grid.add} />
        <Button class="small" disabled={row >= rows.length} onClick={grid.removeRows} text={k.grid.remove} />
        <Button class="small quiet" disabled={!grid.canUndo} onClick={grid.undo} text={k.grid.undo} />
        <Button class="small quiet" disabled={!grid.canRedo} onClick={grid.redo} text={k.grid.redo} />
      </div>
      <p id={`${id}-keys`} class="help">
        {k.grid.keys}
      </p>
    </div>
  );
}

interface TableProps extends GridProps {
  readonly id: string;
  readonly grid: Grid;
  readonly faults: ReadonlyMap<string, string>;
}

/** The part of the table that is seen, by how far it is scrolled. */
function useView() {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const row_px = useMemo(() => row_rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), []);
  const first = Math.max(0, Math.floor(top / row_px) - rows_around);
  return { box, row_px, first, last: first + rows_seen + 2 * rows_around, onScroll: () => setTop(box.current?.scrollTop ?? 0) };
}

/** Keeps the active cell in sight, and gives it the focus after what people do in the table. */
function useFocus({ active, editing }: Grid, box: { readonly current: HTMLDivElement | null }) {
  const isWanted = useRef(false);
  useLayoutEffect(() => {
    const cell = box.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]');
    if (!isWanted.current || cell === null || cell === undefined) return;
    isWanted.current = false;
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const field = cell.querySelector('input');
    (field ?? cell).focus({ preventScroll: true });
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [active.row, active.col, editing === null]);
  return isWanted;
}

/** What people do in the table; after it the active cell has the focus. */
type Act = (change: () => void) => void;

function useHandlers({ grid, rows, columns, cellOf }: TableProps, box: { readonly current: HTMLDivElement | null }, act: Act) {
  const isLeaving = useRef(false);
  useEffect(() => {
    const reach = (event: Event): void => {
      const place = cellOf((event as CustomEvent<string>).detail) ?? { row: 0, col: 0 };
      event.preventDefault();
      act(() => grid.go(place));
      box.current?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]')?.focus();
    };
    box.current?.addEventListener('reach', reach);
    return () => box.current?.removeEventListener('reach', reach);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Shift') return;
    const leaves = event.key === 'Tab' && isLeaving.current;
    isLeaving.current = event.key === 'Escape' && grid.editing === null;
    if (leaves) return;
    const size = { height: rows.length, width: columns.length, page: rows_seen };
    act(() => {
      const isTaken = grid.editing === null ? movingKey(grid, event, size) : typingKey(grid, event);
      if (isTaken) event.preventDefault();
    });
  };
  const clipboard = (event: ClipboardEvent): void => {
    if (grid.editing !== null || event.clipboardData === null) return;
    const block = event.type === 'paste' ? blockOf(event.clipboardData.getData('text/plain')) : null;
    // A table with more columns than this one is not cells of it: the page reads it as a file.
    if (block?.some((row) => row.length > columns.length) === true) return;
    event.preventDefault();
    event.stopPropagation();
    if (block !== null) act(() => grid.paste(block));
    else event.clipboardData.setData('text/plain', copied(rows, grid.area));
    if (event.type === 'cut') grid.clear();
  };
  return { onKeyDown, onCopy: clipboard, onCut: clipboard, onPaste: clipboard };
}

function Table(props: TableProps) {
  const { id, grid, path, label, columns, rows, rowNames } = props;
  const { box, row_px, first, last, onScroll } = useView();
  const isWanted = useFocus(grid, box);
  const act: Act = (change) => {
    isWanted.current = true;
    change();
  };
  const handlers = useHandlers(props, box, act);
  const { active } = grid;
  const widths = useMemo(() => widthsOf(props), [columns, rows.length, rowNames?.label]);
  const numbers = Array.from({ length: Math.max(0, Math.min(last, rows.length + 1) - first) }, (_, i) => first + i);
  const shown = numbers.includes(active.row) ? numbers : [...numbers, active.row].toSorted((a, b) => a - b);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-describedby={`${id}-keys`}
      aria-multiselectable="true"
      aria-rowcount={rows.length + 2}
      aria-colcount={columns.length + 1}
      data-path={path}
      style={{ '--columns': widths }}
      onScroll={onScroll}
      {...handlers}
    >
      <Head columns={columns} rowNames={rowNames} />
      <div role="rowgroup" class="grid-body" style={{ height: `${(rows.length + 1) * row_px}px` }}>
        {shown.map((row) => (
          <Row key={row} {...props} row={row} top={`${row * row_px}px`} act={act} />
        ))}
      </div>
    </div>
  );
}

function Head({ columns, rowNames }: Pick<GridProps, 'columns' | 'rowNames'>) {
  const { k } = useText();
  return (
    <div role="row" class="grid-row grid-head" aria-rowindex={1}>
      <div role="columnheader" aria-colindex={1}>
        {rowNames?.label ?? k.grid.row}
      </div>
      {columns.map(({ name, label, numeric = false }, col) => (
        <div key={name} role="columnheader" aria-colindex={col + 2} class={numeric ? 'grid-number' : ''}>
          {label}
        </div>
      ))}
    </div>
  );
}

interface RowProps extends TableProps {
  readonly row: number;
  readonly top: string;
  readonly act: Act;
}

/** A row is drawn again only for what it shows: a key press changes few of those that are seen. */
function Row({ row, top, act, id, grid, columns, rows, rowNames, faults }: RowProps) {
  const newest = useNewest(grid);
  const texts = rows[row];
  const name = texts === undefined ? '+' : (rowNames?.of(row) ?? String(row + 1));
  const isTouched = row === grid.active.row || (row >= grid.area.top && row <= grid.area.bottom);
  const selectRow = (): void => act(() => newest.current?.select({ row, col: 0 }, { row, col: columns.length - 1 }));
  return useMemo(
    () => (
      <div role="row" class="grid-row" aria-rowindex={row + 2} style={{ top }}>
        <div role="rowheader" aria-colindex={1} onMouseDown={selectRow}>
          {name}
        </div>
        {columns.map((column, col) => (
          <Cell
            key={column.name}
            id={id}
            column={column}
            place={{ row, col }}
            text={texts?.[col] ?? ''}
            grid={grid}
            newest={newest}
            fault={faults.get(`${row} ${col}`)}
            act={act}
          />
        ))}
      </div>
    ),
    [texts, name, top, columns, faults.size === 0 ? null : faults, isTouched ? grid : null],
  );
}

interface CellProps {
  readonly id: string;
  readonly column: GridColumn;
  readonly place: Place;
  readonly text: string;
  readonly grid: Grid;
  /** What people do meets the table as it is then. */
  readonly newest: { readonly current: Grid | null };
  readonly fault: string | undefined;
  readonly act: Act;
}

function Cell({ id, column, place, text, grid, newest, fault, act }: CellProps) {
  const { row, col } = place;
  const isActive = grid.active.row === row && grid.active.col === col;
  const isEdited = isActive && grid.editing !== null;
  const isSelected = isInside(grid.area, row, col);
  const press = (event: MouseEvent): void => {
    if (isEdited || event.button !== 0) return;
    event.preventDefault();
    act(() => {
      const { current } = newest;
      if (current !== null && current.editing !== null) current.finish(true);
      if (isActive && !event.shiftKey) newest.current?.edit();
      else newest.current?.go(place, event.shiftKey);
    });
  };
  const enter = ({ buttons }: MouseEvent): void => {
    if (buttons === 1 && newest.current?.editing === null) act(() => newest.current?.go(place, true));
  };
  const tone = `${column.numeric === true ? 'grid-number' : ''} ${isSelected ? 'grid-selected' : ''} ${fault === undefined ? '' : 'grid-bad'}`;
  return (
    <div
      role="gridcell"
      class={tone.trim()}
      tabIndex={isActive ? 0 : -1}
      aria-colindex={col + 2}
      aria-selected={isSelected}
      aria-invalid={fault !== undefined}
      aria-describedby={isActive && fault !== undefined ? `${id}-fault` : undefined}
      title={fault}
      onMouseDown={press}
      onMouseEnter={enter}
    >
      {isEdited ? <Typing grid={grid} column={column.label} row={row} /> : text}
    </div>
  );
}

/** The field of a cell while it is typed. */
function Typing({ grid, column, row }: { readonly grid: Grid; readonly column: string; readonly row: number }) {
  const { k } = useText();
  return (
    <input
      aria-label={k.grid.cell(column, String(row + 1))}
      value={grid.editing ?? ''}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => grid.type(event.currentTarget.value)}
      onBlur={() => grid.finish(true)}
    />
  );
}
