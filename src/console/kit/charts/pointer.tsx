/** One of several places along the horizontal axis, chosen by the pointer; it stays chosen when the pointer leaves. */
import type { ComponentChildren } from 'preact';
import type { Frame } from './axes.js';

interface PointerProps {
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
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
      {x !== undefined && <line class="pointed" x1={x} x2={x} y1={top} y2={bottom} />}
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
