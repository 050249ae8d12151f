/** The plane of a population: axes, points, and the one that is chosen or pointed at. */
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { type Frame, XAxis, YAxis } from '../../kit/charts/plane.js';
import { nearest, spanOf } from '../../kit/charts/scale.js';
import { useWords } from '../text/words.js';
import { placed, type Placed, shadeOf, type Worth } from './places.js';

const frame: Frame = { top: 28, right: 28, bottom: 46, left: 62 };
/** How far from a point a pointer may be and still mean it. */
const reach_pixels = 24;

interface ScatterProps {
  readonly population: readonly Worth[];
  /** Indices of those that are shown. */
  readonly shown: readonly number[];
  readonly chosen: number | null;
  readonly choose: (index: number) => void;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

export function Scatter({ population, shown, chosen, choose, alt, width, height }: ScatterProps) {
  const { t, f } = useWords();
  const places = useMemo(() => placed(population, fieldOf(width, height)), [population, width, height]);
  const [hovered, setHovered] = useState<number | null>(null);
  const meant = (event: PointerEvent | MouseEvent): number | null => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return nearest(places, shown, [event.clientX - box.left, event.clientY - box.top], reach_pixels);
  };
  const take = (event: MouseEvent): void => {
    const index = meant(event);
    if (index !== null) choose(index);
  };
  const draw = useMemo(() => drawingOf({ population, placed: places, shown }), [population, places, shown]);
  const axis = { frame, width, height };
  return (
    <div
      class={hovered === null ? 'scatter' : 'scatter scatter-hit'}
      onPointerMove={(event) => setHovered(meant(event))}
      onPointerLeave={() => setHovered(null)}
      onClick={take}
    >
      <svg role="img" aria-label={alt} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <YAxis scale={places.y} span={places.effects} print={f.short} {...axis} />
        <XAxis scale={places.x} span={places.risks} print={f.short} {...axis} label={t.population.riskAxis} />
        <text class="axis-name" x={0} y={12}>
          ↑ {t.population.effectivenessAxis}
        </text>
      </svg>
      <Canvas draw={draw} width={width} height={height} />
      <svg aria-hidden="true" class="scatter-rings" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {hovered !== null && hovered !== chosen && <Ring at={hovered} places={places} kind="hovered" />}
        {chosen !== null && <Ring at={chosen} places={places} kind="chosen" />}
      </svg>
    </div>
  );
}

const fieldOf = (width: number, height: number) => ({
  left: frame.left,
  right: Math.max(frame.left + 1, width - frame.right),
  top: frame.top,
  bottom: Math.max(frame.top + 1, height - frame.bottom),
});

function Ring({ at, places, kind }: { readonly at: number; readonly places: Placed; readonly kind: 'hovered' | 'chosen' }) {
  return (
    <circle
      class={kind === 'chosen' ? 'ring ring-chosen tone-good' : 'ring'}
      cx={places.xs[at]}
      cy={places.ys[at]}
      r={kind === 'chosen' ? 8 : 7}
    />
  );
}

/** Draws a population's points. */
export const shades = 5;
const front_radius = 4.5;
const behind_radius = 2.5;
const behind_alpha = 0.4;

type Dots = { readonly population: readonly Worth[]; readonly placed: Placed; readonly shown: readonly number[] };

/** Returns what draws those behind in one path for each shade, above them the front, each with an outline that parts it from its neighbours. */
function drawingOf({ population, placed, shown }: Dots) {
  const shade = shadeOf(spanOf(population.map(({ complexity }) => complexity)), shades);
  const shadeAt = (i: number): number => shade(population[i]?.complexity ?? 0);
  const circle = (i: number, radius: number): Path2D => {
    const path = new Path2D();
    path.arc(placed.xs[i] ?? 0, placed.ys[i] ?? 0, radius, 0, 2 * Math.PI);
    return path;
  };
  return (context: CanvasRenderingContext2D, colour: (name: string) => string): void => {
    const fills = Array.from({ length: shades }, (_, i) => colour(`--shade-${i}`));
    const groups = Array.from({ length: shades }, () => new Path2D());
    for (const i of shown) if (population[i]?.rank !== 0) groups[shadeAt(i)]?.addPath(circle(i, behind_radius));
    context.globalAlpha = behind_alpha;
    for (const [i, group] of groups.entries()) {
      context.fillStyle = fills[i] ?? '';
      context.fill(group);
    }
    context.globalAlpha = 1;
    context.strokeStyle = colour('--bg');
    for (const i of shown) {
      if (population[i]?.rank !== 0) continue;
      context.fillStyle = fills[shadeAt(i)] ?? '';
      const dot = circle(i, front_radius);
      context.fill(dot);
      context.stroke(dot);
    }
  };
}

/**
 * A layer of a chart that is drawn on a canvas. It takes ten thousand points at once, where as many SVG elements would make the page slow;
 * the axes and what is pointed at stay SVG.
 */
interface CanvasProps {
  readonly width: number;
  readonly height: number;
  /** Draws in pixels of the page. It is called again when it is another function, or when the size or the theme changes. */
  readonly draw: (context: CanvasRenderingContext2D, colour: (name: string) => string) => void;
}

function Canvas({ width, height, draw }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  const ratio = globalThis.devicePixelRatio;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d') ?? null;
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(context.canvas);
    draw(context, (name) => style.getPropertyValue(name).trim());
  }, [draw, width, height, theme, ratio]);
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={Math.round(width * ratio)}
      height={Math.round(height * ratio)}
      style={{ width: `${width}px`, height: `${height}px` }}
    />
  );
}

const dark = 'screen and (prefers-color-scheme: dark)';

/** Counts the changes of the theme: a canvas does not follow them by itself. */
function useTheme(): number {
  const [count, changed] = useReducer((n: number) => n + 1, 0);
  useLayoutEffect(() => {
    const media = matchMedia(dark);
    const tell = (): void => changed(undefined);
    media.addEventListener('change', tell);
    return () => media.removeEventListener('change', tell);
  }, []);
  return count;
}
