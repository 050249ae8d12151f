/** What a table that is edited knows: its selection, the cell that is being typed, and the steps that can be taken back. */
import { useRef, useState } from 'preact/hooks';
import {
  areaOf,
  cellAt,
  type Cells,
  cleared,
  type History,
  no_history,
  paste,
  type Place,
  putBlock,
  remembered,
  withoutRows,
  withRow,
} from './cells.js';

interface GridData {
  readonly rows: Cells;
  readonly set: (rows: Cells) => void;
  /** Number of columns. */
  readonly width: number;
}

export type Grid = ReturnType<typeof useGrid>;

const origin: Place = { row: 0, col: 0 };

/** The steps of a table. They are forgotten when another table takes its place, as when a file was read. */
function useHistory({ rows, set }: GridData) {
  const history = useRef<History>(no_history);
  const own = useRef(rows);
  if (own.current !== rows) {
    own.current = rows;
    history.current = no_history;
  }
  const show = (next: Cells, steps: History): void => {
    history.current = steps;
    own.current = next;
    set(next);
  };
  const { past, future } = history.current;
  return {
    past,
    future,
    change: (next: Cells): void => show(next, remembered(history.current, rows)),
    undo: (): void => {
      const before = past.at(-1);
      if (before !== undefined) show(before, { past: past.slice(0, -1), future: [rows, ...future] });
    },
    redo: (): void => {
      const [next, ...rest] = future;
      if (next !== undefined) show(next, { past: [...past, rows], future: rest });
    },
  };
}

export function useGrid(data: GridData) {
  const { rows, width } = data;
  const { past, future, change, undo, redo } = useHistory(data);
  const [{ from, to }, setSelected] = useState({ from: origin, to: origin });
  const [editing, setEditing] = useState<string | null>(null);
  // What a field that is removed says last must not be taken twice.
  const typed = useRef<string | null>(null);
  const type = (text: string | null): void => {
    typed.current = text;
    setEditing(text);
  };
  // The row after the last one is blank: typing there adds a row.
  const near = ({ row, col }: Place): Place => ({
    row: Math.max(0, Math.min(row, rows.length)),
    col: Math.max(0, Math.min(col, width - 1)),
  });
  const active = near(to);
  const area = areaOf(near(from), active);
  const finish = (isKept: boolean): void => {
    const text = typed.current;
    type(null);
    if (isKept && text !== null && text !== cellAt(rows, active)) change(putBlock(rows, active, [[text]], width));
  };
  return {
    active,
    area,
    /** The text of the active cell while it is typed; null otherwise. */
    editing,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** Moves to a place; `extend` keeps the other end of the selection. */
    go: (place: Place, extend = false): void => setSelected((all) => ({ from: extend ? all.from : place, to: place })),
    select: (start: Place, end: Place): void => setSelected({ from: start, to: end }),
    /** Begins to type, with the cell's text or in its place. */
    edit: (text = cellAt(rows, active)): void => type(text),
    type,
    /** Ends typing; what was typed becomes the cell's text, or is forgotten. */
    finish,
    paste: (block: Cells): void => {
      change(paste(rows, area, block, width));
      const start = { row: area.top, col: area.left };
      const last = { row: area.top + block.length - 1, col: area.left + Math.max(...block.map((row) => row.length)) - 1 };
      const isOne = block.length === 1 && block[0]?.length === 1;
      if (!isOne) setSelected({ from: last, to: start });
    },
    clear: (): void => change(cleared(rows, area)),
    addRow: (): void => {
      change(withRow(rows, Math.min(area.bottom + 1, rows.length)));
      const place = { row: area.bottom + 1, col: 0 };
      setSelected({ from: place, to: place });
    },
    removeRows: (): void => {
      change(withoutRows(rows, area));
      const place = { row: area.top, col: active.col };
      setSelected({ from: place, to: place });
    },
    undo,
    redo,
  };
}
