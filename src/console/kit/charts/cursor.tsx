/** A cursor on one of several places of a chart, moved by the pointer or by a slider. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Frame, Room } from './plane.js';

interface PointerProps extends Room {
  readonly frame: Frame;
  /** The places in pixels, from left to right. */
  readonly places: readonly number[];
  readonly at: number;
  readonly point: (at: number) => void;
  /** What marks the chosen place beside the line. */
  readonly children?: ComponentChildren;
}

export function Pointer({ frame, width, height, places, at, point, children }: PointerProps) {
  const move = (event: PointerEvent): void => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left + frame.left;
    point(nearestOf(places, x));
  };
  const x = places[at];
  const [top, bottom] = [frame.top, height - frame.bottom];
  return (
    <g data-screen-only>
      {x !== undefined && <line class="dash pointed" x1={x} x2={x} y1={top} y2={bottom} />}
      {children}
      <rect
        class="pointer-room"
        x={frame.left}
        y={top}
        width={Math.max(0, width - frame.left - frame.right)}
        height={Math.max(0, bottom - top)}
        onPointerMove={move}
        onPointerDown={move}
      />
    </g>
  );
}

function nearestOf(places: readonly number[], x: number): number {
  let found = 0;
  for (const [i, place] of places.entries()) if (Math.abs(place - x) < Math.abs((places[found] ?? 0) - x)) found = i;
  return found;
}

/** A slider that moves a cursor along the values of a chart, and the value at the cursor in words. */
export interface ReaderProps {
  /** What the slider moves along, such as "Step". */
  readonly label: string;
  readonly count: number;
  readonly at: number;
  readonly choose: (at: number) => void;
  /** The value at the cursor. */
  readonly reading: string;
  /** Returns where the up and down keys lead, for a chart that has rows; without it they move along the values. */
  readonly across?: (at: number, way: -1 | 1) => number;
}

/** The slider takes the keys of every slider: arrows, Page Up, Page Down, Home and End. It is not part of a saved picture. */
export function Reader({ label, count, at, choose, reading, across }: ReaderProps) {
  const id = useId();
  const press = (event: KeyboardEvent): void => {
    const way = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    if (across === undefined || way === null) return;
    event.preventDefault();
    choose(across(at, way));
  };
  return (
    <div class="reader" data-screen-only>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(0, count - 1)}
        step={1}
        value={at}
        disabled={count < 2}
        aria-valuetext={reading}
        onInput={(event) => choose(event.currentTarget.valueAsNumber)}
        onKeyDown={press}
      />
      <p class="reading">{reading}</p>
    </div>
  );
}
