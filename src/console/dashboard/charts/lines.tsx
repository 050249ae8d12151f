/** Several runs over the same years: one line each, told apart by colour, by dashes, and by the number at its end. */
import type { Frame } from '../../kit/charts/axes.js';
import { Figure } from '../../kit/charts/figure.js';
import { Plane } from '../../kit/charts/plane.js';
import { path, spanOf, thinned, widened } from '../../kit/charts/scale.js';
import { DataTable } from '../../kit/charts/table.js';
import type { ComponentChildren } from 'preact';
import { apart } from './labels.js';
import { useWords } from '../text/words.js';

const frame: Frame = { top: 14, right: 30, bottom: 46, left: 62 };
const heightOf = (width: number): number => Math.round(Math.max(240, Math.min(380, width * 0.45)));

export interface Line {
  readonly name: string;
  /** Values by year, the first at index 0; lines may end at different years. */
  readonly values: readonly number[];
}

interface LinesProps {
  readonly title: string;
  readonly alt: string;
  readonly lines: readonly Line[];
  /** The values are counts. */
  readonly whole: boolean;
  readonly controls?: ComponentChildren;
  readonly legend: ComponentChildren;
}

export function Lines({ title, alt, lines, whole, controls, legend }: LinesProps) {
  const { t, f } = useWords();
  const years = Math.max(1, ...lines.map(({ values }) => values.length));
  return (
    <Figure
      title={title}
      alt={alt}
      height={heightOf}
      controls={controls}
      legend={legend}
      table={() => (
        <DataTable
          label={title}
          head={[t.compare.year, ...lines.map(({ name }) => name)]}
          texts={[]}
          rows={Array.from({ length: years }, (_, i) => [
            f.number(i + 1),
            ...lines.map(({ values }) => (values[i] === undefined ? '–' : f.number(values[i]))),
          ])}
        />
      )}
    >
      {(width) => <Picture lines={lines} whole={whole} years={years} width={width} height={heightOf(width)} />}
    </Figure>
  );
}

interface PictureProps {
  readonly lines: readonly Line[];
  readonly whole: boolean;
  readonly years: number;
  readonly width: number;
  readonly height: number;
}

function Picture({ lines, whole, years, width, height }: PictureProps) {
  const { t } = useWords();
  const [least, most] = spanOf(lines.flatMap(({ values }) => values));
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: [1, Math.max(2, years)], whole: true, label: t.compare.year }}
      y={{ span: widened([Math.min(0, least), most], 0.04), whole }}
    >
      {({ x, y }) => {
        const ends = apart(lines.map(({ values }) => [x(values.length), y(values.at(-1) ?? 0)] as const));
        return lines.map(({ name, values }, i) => (
          <g class={`line line-${i}`} key={name}>
            <path d={path(thinned(values, width).map(([at, value]) => [x(at + 1), y(value)] as const))} />
            {values.length === 1 && <circle cx={x(1)} cy={y(values[0] ?? 0)} r="3" />}
            <text x={x(values.length) + 7} y={ends[i]} dy="0.32em">
              {i + 1}
            </text>
          </g>
        ));
      }}
    </Plane>
  );
}
