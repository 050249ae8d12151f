/** Value against cost of the choices that none of the others beats, and of the one that was chosen; a cursor reads them one by one. */
import { useMemo, useState } from 'preact/hooks';
import type { AllocationView } from '../../../../kinds/allocation/view.js';
import { Figure } from '../../../kit/charts/figure.js';
import { type Frame, Plane, type Room } from '../../../kit/charts/plane.js';
import { linear, nearest, spanOf, widened } from '../../../kit/charts/scale.js';
import { DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

const frame: Frame = { top: 28, right: 12, bottom: 46, left: 58 };
const radius = { least: 3.5, most: 8 };
/** How far from a point a pointer may be and still mean it. */
const reach_pixels = 40;
const heightOf = (width: number): number => Math.max(230, Math.min(350, width * 0.5));

type Point = AllocationView['pareto'][number];

type ParetoProps = { readonly result: AllocationView; readonly budget: number | null };

export function Pareto({ result, budget }: ParetoProps) {
  const { t, f } = useWordsOf(words);
  const { pareto, value, cost, unit } = result;
  const { pareto: title, paretoText, chosen, others, budgetLine, cost: costs, value: values, risk: risks } = t.result;
  const points = useMemo(() => pareto.toSorted((a, b) => a.cost - b.cost || a.value - b.value), [pareto]);
  const isChosen = (point: Point): boolean => point.cost === cost && point.value === value && point.risk === result.risk;
  const [at, setAt] = useState(() => Math.max(0, points.findIndex(isChosen)));
  const pointed = points[at];
  const reading = (point: Point): string => {
    const text = t.result.point(f.number(point.value), f.number(point.cost), unit, f.number(point.risk));
    return isChosen(point) ? `${text} (${chosen})` : text;
  };
  return (
    <Figure
      title={title}
      alt={t.result.paretoAlt(f.number(pareto.length), f.number(value), f.number(cost))}
      height={heightOf}
      reader={() =>
        pointed === undefined
          ? null
          : { label: t.result.option, count: points.length, at, choose: setAt, reading: reading(pointed) }
      }
      legend={
        <p class="legend">
          <span class="key key-dot tone-good">{chosen}</span> <span class="key key-dot tone-accent">{others}</span>
          {budget !== null && <span class="key key-line key-dash tone-bad">{budgetLine}</span>}{' '}
          <span class="muted">{paretoText}</span>
        </p>
      }
      table={() => (
        <DataTable
          label={title}
          head={[values, costs, risks]}
          texts={[]}
          rows={pareto.map((point) => [point.value, point.cost, point.risk])}
        />
      )}
    >
      {(room) => <Points {...room} result={result} points={points} budget={budget} at={at} point={setAt} />}
    </Figure>
  );
}

interface PointsProps extends ParetoProps, Room {
  /** By rising cost. */
  readonly points: readonly Point[];
  /** The one under the cursor. */
  readonly at: number;
  readonly point: (at: number) => void;
}

function Points({ result, points, budget, at, point, width, height }: PointsProps) {
  const { t } = useWordsOf(words);
  const { value, cost, risk, unit } = result;
  const costs = spanOf([cost, ...points.map((each) => each.cost), ...(budget === null ? [] : [budget])]);
  const size = linear(spanOf([risk, ...points.map((each) => each.risk)]), [radius.least, radius.most]);
  const pointed = points[at];
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: widened(costs, 0.04), labelled: costs, label: t.result.costAxis(unit) }}
      y={{ span: widened(spanOf([value, ...points.map((each) => each.value)]), 0.08), label: t.result.valueAxis }}
    >
      {({ x, y }) => {
        const places = { xs: points.map((each) => x(each.cost)), ys: points.map((each) => y(each.value)) };
        const move = (event: PointerEvent): void => {
          const box = (event.currentTarget as Element).getBoundingClientRect();
          const here = [event.clientX - box.left + frame.left, event.clientY - box.top + frame.top] as const;
          const found = nearest(places, points.keys(), here, reach_pixels);
          if (found !== null) point(found);
        };
        return (
          <>
            {budget !== null && (
              <line class="dash tone-bad" x1={x(budget)} x2={x(budget)} y1={frame.top} y2={height - frame.bottom} />
            )}
            {points.map((each) => (
              <circle
                class="point"
                key={`${each.cost} ${each.value} ${each.risk}`}
                cx={x(each.cost)}
                cy={y(each.value)}
                r={size(each.risk)}
              />
            ))}
            <g class="chosen">
              <circle cx={x(cost)} cy={y(value)} r={size(risk) + 4} class="ring tone-good" />
              <circle cx={x(cost)} cy={y(value)} r={size(risk)} class="chosen-dot dot tone-good" />
            </g>
            <g data-screen-only>
              {pointed !== undefined && (
                <circle class="ring" cx={x(pointed.cost)} cy={y(pointed.value)} r={size(pointed.risk) + 7} />
              )}
              <rect
                class="pointer-room"
                x={frame.left}
                y={frame.top}
                width={Math.max(0, width - frame.left - frame.right)}
                height={Math.max(0, height - frame.top - frame.bottom)}
                onPointerMove={move}
                onPointerDown={move}
              />
            </g>
          </>
        );
      }}
    </Plane>
  );
}
