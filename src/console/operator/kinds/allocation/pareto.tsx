/** Value against cost of the choices that none of the others beats, and of the one that was chosen. */
import type { AllocationView } from '../../../../kinds/allocation/view.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';
import type { Frame } from '../../../kit/charts/axes.js';
import { Figure } from '../../../kit/charts/figure.js';
import { Plane } from '../../../kit/charts/plane.js';
import { linear, spanOf, widened } from '../../../kit/charts/scale.js';
import { DataTable } from '../../../kit/charts/table.js';

const frame: Frame = { top: 12, right: 12, bottom: 46, left: 58 };
const radius = { least: 3.5, most: 8 };

interface ParetoProps {
  readonly result: AllocationView;
  readonly budget: number | null;
}

export function Pareto({ result, budget }: ParetoProps) {
  const { t, f } = useWordsOf(words);
  const { pareto, value, cost } = result;
  const { pareto: title, paretoText, chosen, others, budgetLine, cost: costs, value: values, risk: risks } = t.result;
  return (
    <Figure
      title={title}
      alt={t.result.paretoAlt(f.number(pareto.length), f.number(value), f.number(cost))}
      height={(width) => Math.max(220, Math.min(340, width * 0.5))}
      legend={
        <p class="legend">
          <span class="key key-chosen">{chosen}</span> <span class="key key-point">{others}</span>
          {budget !== null && <span class="key key-limit">{budgetLine}</span>} <span class="muted">{paretoText}</span>
        </p>
      }
      table={() => (
        <DataTable
          label={title}
          head={[values, costs, risks]}
          texts={[]}
          rows={pareto.map((point) => [f.number(point.value), f.number(point.cost), f.number(point.risk)])}
        />
      )}
    >
      {(width) => <Points result={result} budget={budget} width={width} height={Math.max(220, Math.min(340, width * 0.5))} />}
    </Figure>
  );
}

function Points({ result, budget, width, height }: ParetoProps & { readonly width: number; readonly height: number }) {
  const { t, f } = useWordsOf(words);
  const { pareto, value, cost, risk } = result;
  const costs = spanOf([cost, ...pareto.map((point) => point.cost), ...(budget === null ? [] : [budget])]);
  const size = linear(spanOf([risk, ...pareto.map((point) => point.risk)]), [radius.least, radius.most]);
  const label = (point: { readonly value: number; readonly cost: number; readonly risk: number }): string =>
    t.result.point(f.number(point.value), f.number(point.cost), f.number(point.risk));
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: widened(costs, 0.04), labelled: costs, label: t.result.cost }}
      y={{ span: widened(spanOf([value, ...pareto.map((point) => point.value)]), 0.08) }}
    >
      {({ x, y }) => (
        <>
          {budget !== null && <line class="limit" x1={x(budget)} x2={x(budget)} y1={frame.top} y2={height - frame.bottom} />}
          {pareto.map((point) => (
            <circle
              class="point"
              key={`${point.cost} ${point.value} ${point.risk}`}
              cx={x(point.cost)}
              cy={y(point.value)}
              r={size(point.risk)}
            >
              <title>{label(point)}</title>
            </circle>
          ))}
          <g class="chosen">
            <title>{label(result)}</title>
            <circle cx={x(cost)} cy={y(value)} r={size(risk) + 4} class="chosen-ring" />
            <circle cx={x(cost)} cy={y(value)} r={size(risk)} class="chosen-dot" />
          </g>
        </>
      )}
    </Plane>
  );
}
