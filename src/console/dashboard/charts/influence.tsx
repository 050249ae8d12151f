/** A measure of a sweep by the values of its field: the mean over the seeds, in front of the range from the least to the most. */
import type { ComponentChildren } from 'preact';
import type { SweepMeasure, SweepPoint } from '../../../codec/sweep.js';
import { Figure } from '../../kit/charts/figure.js';
import { type Frame, Plane } from '../../kit/charts/plane.js';
import { area, path, spanOf, widened } from '../../kit/charts/scale.js';
import { Quantity } from '../../kit/controls/table-tools.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useWords } from '../text/words.js';
import { lineTone } from './lines.js';

const frame: Frame = { top: 28, right: 20, bottom: 46, left: 72 };
const heightOf = (width: number): number => Math.round(Math.max(220, Math.min(320, width * 0.35)));

interface InfluenceProps {
  readonly points: readonly SweepPoint[];
  readonly measure: SweepMeasure;
  /** The name of the field. */
  readonly field: string;
  readonly controls: ComponentChildren;
}

export function Influence({ points, measure, field, controls }: InfluenceProps) {
  const { t, f } = useWords();
  const known = points
    .flatMap(({ value, [measure]: spread }) => (spread === null ? [] : [{ value, ...spread }]))
    .toSorted((a, b) => a.value - b.value);
  const title = t.sweep.by(t.sweep.measures[measure], field);
  const print = (value: number): string => f.number(Number(value.toPrecision(4)));
  return (
    <Figure
      title={title}
      alt={t.sweep.byAlt(t.sweep.measures[measure], f.number(known.length), field)}
      height={heightOf}
      controls={controls}
      legend={<p class="legend">{t.sweep.byLegend}</p>}
      table={() => (
        <DataTable
          label={title}
          head={[field, t.insight.mean, t.insight.least, t.insight.highest]}
          texts={[]}
          rows={known.map(({ value, ...spread }) => [
            value,
            ...(['mean', 'min', 'max'] as const).map((name) => <Quantity value={spread[name]} text={print(spread[name])} />),
          ])}
        />
      )}
    >
      {(room) => (
        <Plane
          {...room}
          frame={frame}
          x={{ span: widened(spanOf(known.map(({ value }) => value)), 0.02), label: field }}
          y={{
            span: widened(spanOf(known.flatMap(({ min, max }) => [min, max])), 0.06),
            print,
            label: t.sweep.measures[measure],
          }}
        >
          {({ x, y }) => (
            <>
              <path
                class="band"
                d={area(
                  known.map(({ value, max }) => [x(value), y(max)] as const),
                  known.map(({ value, min }) => [x(value), y(min)] as const),
                )}
              />
              <g class="line" style={lineTone(0)}>
                <path class="series" d={path(known.map(({ value, mean }) => [x(value), y(mean)] as const))} />
                {known.map(({ value, mean }) => (
                  <circle class="dot" key={value} cx={x(value)} cy={y(mean)} r="3.5" />
                ))}
              </g>
            </>
          )}
        </Plane>
      )}
    </Figure>
  );
}
