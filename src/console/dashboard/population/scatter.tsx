/** The plane of a population: axes, points, and the one that is chosen or pointed at. */
import { useMemo, useState } from 'preact/hooks';
import { type Frame, Plane, type Room } from '../../kit/charts/plane.js';
import { nearest, spanOf } from '../../kit/charts/scale.js';
import { useWords } from '../text/words.js';
import { placed, type Placement, shadeOf, type Worth } from './places.js';

const frame: Frame = { top: 28, right: 28, bottom: 46, left: 62 };
/** How far from a point a pointer may be and still mean it. */
const reach_pixels = 24;

interface ScatterProps extends Room {
  readonly population: readonly Worth[];
  /** Indices of those that are shown. */
  readonly shown: readonly number[];
  readonly chosen: number | null;
  readonly choose: (index: number) => void;
}

export function Scatter({ population, shown, chosen, choose, width, height }: ScatterProps) {
  const { t, f } = useWords();
  const places = useMemo(() => placed(population, fieldOf(width, height)), [population, width, height]);
  const [hovered, setHovered] = useState<number | null>(null);
  const meant = (event: MouseEvent): number | null => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return nearest(places, shown, [event.clientX - box.left, event.clientY - box.top], reach_pixels);
  };
  const take = (event: MouseEvent): void => {
    const index = meant(event);
    if (index !== null) choose(index);
  };
  const points = useMemo(() => <Points population={population} places={places} shown={shown} />, [population, places, shown]);
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: places.risks, print: f.short, label: t.population.riskAxis }}
      y={{ span: places.effects, print: f.short, label: `↑ ${t.population.effectivenessAxis}` }}
    >
      {() => (
        <g
          class={hovered === null ? 'scatter' : 'scatter scatter-hit'}
          onPointerMove={(event) => setHovered(meant(event))}
          onPointerLeave={() => setHovered(null)}
          onClick={take}
        >
          <rect class="pointer-room" width={width} height={height} data-screen-only />
          {points}
          {hovered !== null && hovered !== chosen && <Ring at={hovered} places={places} kind="hovered" />}
          {chosen !== null && <Ring at={chosen} places={places} kind="chosen" />}
        </g>
      )}
    </Plane>
  );
}

const fieldOf = (width: number, height: number) => ({
  left: frame.left,
  right: Math.max(frame.left + 1, width - frame.right),
  top: frame.top,
  bottom: Math.max(frame.top + 1, height - frame.bottom),
});

const Ring = ({ at, places, kind }: { readonly at: number; readonly places: Placement; readonly kind: 'hovered' | 'chosen' }) => (
  <circle
    class={kind === 'chosen' ? 'ring ring-chosen tone-good' : 'ring'}
    cx={places.xs[at]}
    cy={places.ys[at]}
    r={kind === 'chosen' ? 8 : 7}
  />
);

export const shades = 5;
const front_radius = 4.5;
const behind_radius = 2.5;

interface PointsProps extends Pick<ScatterProps, 'population' | 'shown'> {
  readonly places: Placement;
}

/** The points of each shade in one path, because ten thousand elements would make the page slow: those behind, and above them the front. */
function Points({ population, places: { xs, ys }, shown }: PointsProps) {
  const shade = shadeOf(spanOf(population.map(({ complexity }) => complexity)), shades);
  const inFront = Array.from({ length: shades }, () => '');
  const behind = [...inFront];
  for (const i of shown) {
    const { rank = 0, complexity = 0 } = population[i] ?? {};
    const [paths, radius] = rank === 0 ? [inFront, front_radius] : [behind, behind_radius];
    paths[shade(complexity)] += circle(xs[i] ?? 0, ys[i] ?? 0, radius);
  }
  const drawn = (paths: readonly string[], name: string) =>
    paths.map((d, i) => <path class={name} style={{ '--tone': `var(--shade-${i})` }} d={d} key={i} />);
  return (
    <>
      {drawn(behind, 'dot behind')}
      {drawn(inFront, 'dot in-front')}
    </>
  );
}

const circle = (x: number, y: number, r: number): string =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
