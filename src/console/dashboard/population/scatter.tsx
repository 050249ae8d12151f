/** The plane of a population: axes, points, and the one that is chosen or pointed at. */
import { useMemo, useState } from 'preact/hooks';
import { Canvas } from '../../kit/charts/canvas.js';
import { XAxis, YAxis, type Frame } from '../../kit/charts/axes.js';
import { nearest } from '../../kit/charts/nearest.js';
import { placed, type Placed, type Worth } from './places.js';
import { inUnit, named } from '../pure/unit.js';
import { useWords } from '../text/words.js';
import { drawingOf } from './dots.js';

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
  const { t } = useWords();
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
  const effects = inUnit(places.effects, places.y);
  const risks = inUnit(places.risks, places.x);
  return (
    <div
      class={hovered === null ? 'scatter' : 'scatter scatter-hit'}
      onPointerMove={(event) => setHovered(meant(event))}
      onPointerLeave={() => setHovered(null)}
      onClick={take}
    >
      <svg role="img" aria-label={alt} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <YAxis scale={effects.scale} span={effects.span} {...axis} />
        <XAxis scale={risks.scale} span={risks.span} {...axis} label={named(t.population.riskAxis, risks)} />
        <text class="axis-name" x={0} y={12}>
          ↑ {named(t.population.effectivenessAxis, effects)}
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
  return <circle class={`ring-${kind}`} cx={places.xs[at]} cy={places.ys[at]} r={kind === 'chosen' ? 8 : 7} />;
}
