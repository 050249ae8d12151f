/** A table whose cells are fields, edited by keyboard, mouse and clipboard. Of its rows only those that are seen are in the page. */
import type { RefObject } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../controls/inputs.js';
import { FaultsContext, WholeFaults } from '../forms/fields.js';
import { isWithin } from '../forms/labels.js';
import { useText } from '../text/context.js';
import { blockOf, type Cells, type GridColumn, type Place, putBlock } from './cells.js';

interface GridProps {
  /** The path of the table's values in the mission file. */
  readonly path: string;
  readonly title: string;
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
const steps_max = 200;

/** Returns the width of the rows' names, and those of the columns by what their first rows hold. */
const widthsOf = ({ columns, rows, rowNames }: GridProps): string =>
  `${Math.max(width_ch_min, rowNames?.of(0).length ?? 0) + 2}ch ${columns
    .map(({ label }, col) => {
      const longest = rows.slice(0, width_rows).reduce((most, row) => Math.max(most, (row[col] ?? '').length), label.length);
      const width = Math.max(width_ch_min, Math.min(width_ch_max, longest)) + 3;
      return `minmax(${width}ch, ${width}fr)`;
    })
    .join(' ')}`;

const keyOf = ({ row, col }: Place): string => `${row} ${col}`;

/** The faults of the table by their cell, and those of the table as a whole. */
function useFaults({ path, cellOf }: GridProps) {
  const all = useContext(FaultsContext);
  return useMemo(() => {
    const cells = new Map<string, string>();
    const whole: string[] = [];
    for (const { path: of, message } of all.filter((fault) => isWithin(fault.path, path))) {
      const place = cellOf(of);
      if (place === null) whole.push(message);
      else cells.set(keyOf(place), message);
    }
    return { cells, whole };
  }, [all, path, cellOf]);
}

/** The steps of a table, which can be taken back and done again. They are forgotten when another table takes its place, as when a file was read. */
function useSteps({ rows, set }: GridProps) {
  const steps = useRef({ all: [rows], at: 0, cell: '' });
  if (steps.current.all[steps.current.at] !== rows) steps.current = { all: [rows], at: 0, cell: '' };
  const show = (all: Cells[], at: number, cell = ''): void => {
    const next = all[at];
    if (next === undefined) return;
    steps.current = { all, at, cell };
    set(next);
  };
  const { all, at } = steps.current;
  return {
    canUndo: at > 0,
    canRedo: at < all.length - 1,
    /** @param cell the cell that is typed: all that is typed in it is one step */
    change: (next: Cells, cell = ''): void => {
      const kept = all.slice(0, at + (cell !== '' && cell === steps.current.cell ? 0 : 1)).slice(-steps_max);
      show([...kept, next], kept.length, cell);
    },
    undo: (): void => show(all, at - 1),
    redo: (): void => show(all, at + 1),
    isTyped: (cell: string): boolean => steps.current.cell === cell,
    /** Ends the step of a cell. */
    settle: (): void => void (steps.current.cell = ''),
  };
}

/** The cell that has the focus, or had it last, and the way to another one, whose text is selected then. */
function useActive({ rows, columns, cellOf }: GridProps, box: RefObject<HTMLDivElement | null>) {
  const [active, setActive] = useState<Place>({ row: 0, col: 0 });
  const isWanted = useRef(false);
  useLayoutEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const field = box.current?.querySelector<HTMLInputElement>('input[tabindex="0"]');
    field?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    field?.focus({ preventScroll: true });
    field?.select();
  });
  const go = ({ row, col }: Place): void => {
    isWanted.current = true;
    // The row after the last one is blank: typing there adds a row.
    setActive({ row: Math.max(0, Math.min(row, rows.length)), col: Math.max(0, Math.min(col, columns.length - 1)) });
  };
  useEffect(() => {
    const reach = (event: Event): void => {
      event.preventDefault();
      go(cellOf((event as CustomEvent<string>).detail) ?? { row: 0, col: 0 });
    };
    box.current?.addEventListener('reach', reach);
    return () => box.current?.removeEventListener('reach', reach);
  });
  return { active, setActive, go };
}

/** Returns whether a sideways key leaves a field: at its edge, or while all of its text is selected. */
const isAtEdge = ({ selectionStart: start, selectionEnd: end, value }: HTMLInputElement, way: -1 | 1): boolean =>
  (start === 0 && end === value.length) || (start === end && start === (way < 0 ? 0 : value.length));

type Size = { readonly height: number; readonly width: number };

/** Returns where a key leads; null where it does what it does in every field, or leaves the table. */
function placeAfter(event: KeyboardEvent, { row, col }: Place, { height, width }: Size): Place | null {
  const { key, shiftKey, target } = event;
  const far = event.ctrlKey || event.metaKey;
  const last = Math.max(0, height - 1);
  if (key === 'Tab') {
    const next = row * width + col + (shiftKey ? -1 : 1);
    return next < 0 || next >= (height + 1) * width ? null : { row: Math.floor(next / width), col: next % width };
  }
  const way = { ArrowLeft: -1, ArrowRight: 1 }[key] as -1 | 1 | undefined;
  if (way !== undefined) return !shiftKey && isAtEdge(target as HTMLInputElement, way) ? { row, col: col + way } : null;
  if (key === 'Home' || key === 'End') return !far ? null : key === 'Home' ? { row: 0, col: 0 } : { row: last, col: width - 1 };
  const rows: Readonly<Record<string, number>> = {
    Enter: row + (shiftKey ? -1 : 1),
    ArrowUp: far ? 0 : row - 1,
    ArrowDown: far ? last : row + 1,
    PageUp: row - rows_seen,
    PageDown: row + rows_seen,
  };
  const to = rows[key];
  return to === undefined ? null : { row: to, col };
}

const placeOf = ({ target }: Event): Place | null =>
  target instanceof HTMLInputElement ? { row: Number(target.dataset['row']), col: Number(target.dataset['col']) } : null;

type Steps = ReturnType<typeof useSteps>;
type Moves = ReturnType<typeof useActive>;

/** What people do in the cells. */
function useHandlers(
  { rows, columns }: GridProps,
  { change, undo, redo, isTyped, settle }: Steps,
  { active, setActive, go }: Moves,
) {
  const isLeaving = useRef(false);
  const [height, width] = [rows.length, columns.length];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.key === 'Shift') return;
    const leaves = event.key === 'Tab' && isLeaving.current;
    isLeaving.current = event.key === 'Escape' && !isTyped(keyOf(active));
    if (leaves) return;
    const key = event.key.toLowerCase();
    const place = placeAfter(event, active, { height, width });
    if ((event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y')) (key === 'y' || event.shiftKey ? redo : undo)();
    else if (place !== null) go(place);
    else if (key === 'escape' && !isLeaving.current) undo();
    else return;
    event.preventDefault();
  };
  // As in a spreadsheet, what is typed after the first click takes the place of the cell's text; the next click sets the caret.
  const onMouseDown = (event: MouseEvent): void => {
    const place = placeOf(event);
    if (place === null || event.target === document.activeElement) return;
    event.preventDefault();
    go(place);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const block = blockOf(event.clipboardData?.getData('text/plain') ?? '');
    const [first] = block;
    const isText = block.length === 1 && first?.length === 1;
    if (!isText) event.preventDefault();
    // A table with more columns than this one is not cells of it: the page reads it as a file.
    if (block.some((row) => row.length > width)) return;
    event.stopPropagation();
    if (!isText) change(putBlock(rows, active, block, width));
  };
  const onInput = (event: Event): void => {
    const place = placeOf(event);
    if (place !== null) change(putBlock(rows, place, [[(event.target as HTMLInputElement).value]], width), keyOf(place));
  };
  const onFocusIn = (event: Event): void => {
    const place = placeOf(event);
    if (place === null) return;
    if (!isTyped(keyOf(place))) settle();
    setActive(place);
  };
  return { onKeyDown, onMouseDown, onPaste, onInput, onFocusIn };
}

/** A table of a form, under its title. */
export function TableField(props: GridProps) {
  const { title, columns, rows } = props;
  const { k } = useText();
  const id = useId();
  const { cells, whole } = useFaults(props);
  const steps = useSteps(props);
  const box = useRef<HTMLDivElement>(null);
  const moves = useActive(props, box);
  const { active, go } = moves;
  const fault = cells.get(keyOf(active));
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <WholeFaults messages={whole} />
      <Table {...props} {...{ id, box, steps, moves }} faults={cells} />
      <p id={`${id}-fault`} class="field-error grid-fault" role="status">
        {fault !== undefined && (
          <>
            {k.grid.cell(columns[active.col]?.label ?? '', String(active.row + 1))}: <span lang="en">{fault}</span>
          </>
        )}
      </p>
      <Buttons {...{ rows, steps, active, go }} />
      <p id={`${id}-keys`} class="help">
        {k.grid.keys}
      </p>
    </fieldset>
  );
}

interface TableProps extends GridProps {
  readonly id: string;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly steps: Steps;
  readonly moves: Moves;
  readonly faults: ReadonlyMap<string, string>;
}

function Table({ id, box, steps, moves, faults, ...props }: TableProps) {
  const { title, path, columns, rows, rowNames } = props;
  const [scrolled, setScrolled] = useState(0);
  const row_px = useMemo(() => row_rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), []);
  const first = Math.max(0, Math.floor(scrolled / row_px) - rows_around);
  const last = Math.min(first + rows_seen + 2 * rows_around, rows.length + 1);
  const handlers = useHandlers(props, steps, moves);
  const { active } = moves;
  const widths = useMemo(() => widthsOf(props), [columns, rows.length, rowNames?.label]);
  const seen = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={title}
      aria-describedby={`${id}-keys`}
      aria-rowcount={rows.length + 2}
      aria-colcount={columns.length + 1}
      data-path={path}
      style={{ '--columns': widths }}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      {...handlers}
    >
      <Head columns={columns} rowNames={rowNames} />
      <div role="rowgroup" class="grid-body" style={{ height: `${(rows.length + 1) * row_px}px` }}>
        {[...new Set([...seen, active.row])]
          .toSorted((a, b) => a - b)
          .map((row) => (
            <Row
              key={row}
              {...{ id, row, columns, faults }}
              name={row === rows.length ? '+' : (rowNames?.of(row) ?? String(row + 1))}
              texts={rows[row]}
              top={`${row * row_px}px`}
              active={active.row === row ? active.col : null}
            />
          ))}
      </div>
    </div>
  );
}

interface ButtonsProps {
  readonly rows: Cells;
  readonly steps: Steps;
  readonly active: Place;
  readonly go: (place: Place) => void;
}

function Buttons({ rows, steps: { change, canUndo, undo, canRedo, redo }, active: { row, col }, go }: ButtonsProps) {
  const { k } = useText();
  const below = Math.min(row + 1, rows.length);
  const add = (): void => (change(rows.toSpliced(below, 0, [])), go({ row: below, col: 0 }));
  const remove = (): void => (change(rows.toSpliced(row, 1)), go({ row, col }));
  return (
    <div class="actions">
      <Button class="small" onClick={add} text={k.grid.add} />
      <Button class="small" disabled={row >= rows.length} onClick={remove} text={k.grid.remove} />
      <Button class="small quiet" disabled={!canUndo} onClick={undo} text={k.grid.undo} />
      <Button class="small quiet" disabled={!canRedo} onClick={redo} text={k.grid.redo} />
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

interface RowProps extends Pick<GridProps, 'columns'> {
  readonly id: string;
  readonly row: number;
  readonly name: string;
  /** Undefined for the blank row after the last one. */
  readonly texts: readonly string[] | undefined;
  readonly top: string;
  /** The column of the active cell, if it is in this row. */
  readonly active: number | null;
  readonly faults: ReadonlyMap<string, string>;
}

/** A row is drawn again only for what it shows: a key press changes few of those that are seen. */
function Row({ id, row, name, texts, top, columns, active, faults }: RowProps) {
  const { k } = useText();
  return useMemo(
    () => (
      <div role="row" class="grid-row" aria-rowindex={row + 2} style={{ top }}>
        <div role="rowheader" aria-colindex={1}>
          {name}
        </div>
        {columns.map(({ name: column, label, numeric = false }, col) => {
          const fault = faults.get(keyOf({ row, col }));
          const tone = `${numeric ? 'grid-number' : ''} ${fault === undefined ? '' : 'grid-bad'}`;
          return (
            <div key={column} role="gridcell" class={tone.trim()} aria-colindex={col + 2}>
              <input
                size={1}
                aria-label={k.grid.cell(label, String(row + 1))}
                aria-invalid={fault !== undefined}
                aria-describedby={fault !== undefined && active === col ? `${id}-fault` : undefined}
                title={fault}
                data-row={row}
                data-col={col}
                tabIndex={active === col ? 0 : -1}
                value={texts?.[col] ?? ''}
                autocomplete="off"
                spellcheck={false}
              />
            </div>
          );
        })}
      </div>
    ),
    [texts, name, top, columns, active, faults, k],
  );
}
