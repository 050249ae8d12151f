/** Several runs over the same years: one line each, told apart by colour, by dashes, and by the number at its end. */
import type { ComponentChildren } from 'preact';
import { Figure } from '../../kit/charts/figure.js';
import { Plane, type Room } from '../../kit/charts/plane.js';
import { path, spanOf, thinned, widened } from '../../kit/charts/scale.js';
import { Segmented } from '../../kit/controls/inputs.js';
import { Share } from '../../kit/controls/table-tools.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useWords } from '../text/words.js';
import { apart } from './labels.js';

const frame = { top: 28, bottom: 46, left: 62 };
/** Room to the right of the lines: what their labels need at most. */
const rightOf = (chars: number): number => Math.max(44, 14 + 7 * chars);
const heightOf = (width: number): number => Math.round(Math.max(240, Math.min(380, width * 0.45)));

export interface Line {
  readonly name: string;
  /** Values by year, the first at index 0; lines may end at different years. */
  readonly values: readonly number[];
  /** What stands at its end; its number when absent, nothing when blank. */
  readonly end?: string;
  /** Its colour; by its number when absent. */
  readonly tone?: string;
}

/** What a line can show of each year: a share of one, or a count. */
const measures = ['capability', 'affected'] as const;
export type Measure = (typeof measures)[number];

interface LinesProps {
  readonly lines: readonly Line[];
  readonly measure: Measure;
  readonly choose: (measure: Measure) => void;
  readonly legend: ComponentChildren;
}

export function Lines({ lines, measure, choose, legend }: LinesProps) {
  const { t, f } = useWords();
  const title = t.compare[measure];
  const print = (value = Number.NaN) => (measure === 'capability' ? <Share value={value} /> : value);
  const years = Math.max(1, ...lines.map(({ values }) => values.length));
  return (
    <Figure
      title={title}
      alt={t.compare.forecastAlt(f.number(lines.length), f.number(years), title)}
      height={heightOf}
      controls={
        <Segmented
          label={t.compare.measure}
          options={measures.map((each) => [each, t.compare[each]] as const)}
          value={measure}
          choose={choose}
        />
      }
      legend={legend}
      table={() => (
        <DataTable
          label={title}
          head={[t.forecast.year, ...lines.map(({ name }) => name)]}
          texts={[]}
          rows={Array.from({ length: years }, (_, i) => [
            i + 1,
            ...lines.map(({ values }) => (i < values.length ? print(values[i]) : '–')),
          ])}
        />
      )}
    >
      {(room) => <Picture {...room} lines={lines} measure={measure} years={years} />}
    </Figure>
  );
}

/** Lines are told apart by their dashes, too. */
export const lineDashes = ['', '8 3', '2.5 3', '10 3 2.5 3', '14 4', '5 2 1.5 2 1.5 2'];
export const lineTone = (index: number) => ({ '--tone': `var(--l${index})` });

type PictureProps = Pick<LinesProps, 'lines' | 'measure'> & Room & { readonly years: number };

function Picture({ lines, measure, years, width, height }: PictureProps) {
  const { t, f } = useWords();
  const isShare = measure === 'capability';
  const [least, most] = spanOf(lines.flatMap(({ values }) => values));
  const named = lines.filter(({ end }) => end !== '');
  return (
    <Plane
      frame={{ ...frame, right: rightOf(Math.max(...named.map(({ end }) => end?.length ?? 1))) }}
      width={width}
      height={height}
      x={{ span: [1, Math.max(2, years)], whole: true, label: t.forecast.year }}
      y={{
        span: widened([Math.min(0, least), most], 0.04),
        whole: !isShare,
        print: isShare ? f.percent : f.number,
        label: t.compare[measure],
      }}
    >
      {({ x, y }) => {
        const ends = named.map(({ values }) => [x(values.length), y(values.at(-1) ?? 0)] as const);
        const heights = apart(ends, height - frame.bottom);
        return lines.map((line, i) => {
          const { name, values, end, tone } = line;
          return (
            <g class="line" style={tone === undefined ? lineTone(i) : { '--tone': tone }} key={name}>
              <path
                class="series"
                stroke-dasharray={tone === undefined ? lineDashes[i] : ''}
                d={path(thinned(values, width).map(([at, value]) => [x(at + 1), y(value)] as const))}
              />
              {values.length === 1 && <circle class="dot" cx={x(1)} cy={y(values[0] ?? 0)} r="3" />}
              {end !== '' && (
                <text x={x(values.length) + 7} y={heights[named.indexOf(line)]} dy="0.32em">
                  {end ?? i + 1}
                </text>
              )}
            </g>
          );
        });
      }}
    </Plane>
  );
}
