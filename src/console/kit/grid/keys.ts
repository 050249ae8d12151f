/** The keys of a table that is edited, as spreadsheets have them. */
import type { Grid } from './state.js';

interface Size {
  readonly height: number;
  readonly width: number;
  /** Rows that are seen at once. */
  readonly page: number;
}

/** Handles a key while a cell is typed. Returns whether it was one of the table's. */
export function typingKey(grid: Grid, { key, shiftKey, isComposing }: KeyboardEvent): boolean {
  const { row, col } = grid.active;
  const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    Enter: [shiftKey ? -1 : 1, 0],
    Tab: [0, shiftKey ? -1 : 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Escape: [0, 0],
  };
  const step = steps[key];
  if (isComposing || step === undefined) return false;
  grid.finish(key !== 'Escape');
  grid.go({ row: row + step[0], col: col + step[1] });
  return true;
}

/** Handles a key while no cell is typed. Returns whether it was one of the table's; letters begin to type and are not. */
export function movingKey(grid: Grid, event: KeyboardEvent, size: Size): boolean {
  const { key, shiftKey, altKey } = event;
  const control = event.ctrlKey || event.metaKey;
  if (key === 'Tab') return tab(grid, shiftKey, size);
  if (control && !altKey) return command(grid, key.toLowerCase(), shiftKey, size) || move(grid, event, size);
  if (key === 'Enter' || key === 'F2') grid.edit();
  else if (key === 'Delete' || key === 'Backspace') grid.clear();
  else if (move(grid, event, size)) return true;
  else {
    // The letter itself, or what an input method makes of it, goes into the field that now takes the focus.
    if ([...key].length === 1 || key === 'Dead' || key === 'Process') grid.edit('');
    return false;
  }
  return true;
}

/** Moves to the next cell, row by row; beyond the last one and before the first one the key leaves the table. */
function tab({ active: { row, col }, go }: Grid, isBack: boolean, { height, width }: Size): boolean {
  const next = row * width + col + (isBack ? -1 : 1);
  if (next < 0 || next >= (height + 1) * width) return false;
  go({ row: Math.floor(next / width), col: next % width });
  return true;
}

function command(grid: Grid, key: string, isShift: boolean, { height, width }: Size): boolean {
  if (key === 'a') grid.select({ row: 0, col: 0 }, { row: Math.max(0, height - 1), col: width - 1 });
  else if (key === 'y' || (key === 'z' && isShift)) grid.redo();
  else if (key === 'z') grid.undo();
  else return false;
  return true;
}

function move(grid: Grid, { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, { height, width, page }: Size): boolean {
  const { row, col } = grid.active;
  const far = ctrlKey || metaKey;
  const last = Math.max(0, height - 1);
  const places: Readonly<Record<string, readonly [row: number, col: number]>> = {
    ArrowUp: [far ? 0 : row - 1, col],
    ArrowDown: [far ? last : row + 1, col],
    ArrowLeft: [row, far ? 0 : col - 1],
    ArrowRight: [row, far ? width - 1 : col + 1],
    Home: [far ? 0 : row, 0],
    End: [far ? last : row, width - 1],
    PageUp: [row - page, col],
    PageDown: [row + page, col],
  };
  const place = places[key];
  if (place === undefined) return false;
  grid.go({ row: Math.max(0, Math.min(place[0], height)), col: Math.max(0, Math.min(place[1], width - 1)) }, shiftKey);
  return true;
}
