/** A portfolio against its budget and risk, what was left out and why, and what another budget would bring. */
import type { AllocationInput, AllocationView } from '../../../../kinds/allocation/view.js';
import { allocationInputs, allocationRequest, allocationResult, costUnit } from '../../../../kinds/allocation/view.js';
import { namesOf, viewOf } from '../../../../kinds/view-fields.js';
import { Figures, LazyDetails } from '../../../kit/controls/pieces.js';
import { Quantity, Share } from '../../../kit/controls/table-tools.js';
import { BarName, DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Against, Limits, TitledTable, useProofFigure } from '../shared/common.js';
import { words as sharedWords } from '../shared/words.js';
import { words } from './words.js';
import { allocationExample } from '../../../../kinds/allocation/example.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';
import { useMemo, useState } from 'preact/hooks';
import { Figure } from '../../../kit/charts/figure.js';
import { type Frame, Plane, type Room } from '../../../kit/charts/plane.js';
import { linear, nearest, spanOf, widened } from '../../../kit/charts/scale.js';

export const allocation: KindView<'allocation'> = {
  example: allocationExample,
  form,
  search: ['effort'],
  result: ({ request, result }) => {
    const view = viewOf(allocationResult, result);
    return view && <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  },
  inputs: allocationInputs,
};

interface AllocationProps {
  readonly result: AllocationView;
  /** Null if it was erased. */
  readonly input: AllocationInput | null;
}

function AllocationResult({ result, input }: AllocationProps) {
  const { t, f } = useWordsOf(words);
  const { t: common } = useWordsOf(sharedWords);
  const proof = useProofFigure();
  const { value, bound, gap, optimality_proven, baseline } = result;
  return (
    <>
      <Figures
        figures={[
          [t.result.value, f.number(value)],
          proof(optimality_proven, { name: common.bound, value: bound, gap, above: false }),
          [
            common.baseline,
            f.number(baseline.value),
            value > baseline.value ? common.better(f.number(value - baseline.value)) : common.same,
          ],
        ]}
      />
      <AgainstLimit name={t.result.cost} part={result.cost} whole={input?.budget ?? null} unit={costUnit(result)} />
      <AgainstLimit name={t.result.risk} part={result.risk} whole={input?.max_risk ?? null} noLimit={input !== null} />
      <Selected result={result} input={input} />
      <LeftOut result={result} input={input} />
      {result.pareto.length > 1 && <Pareto result={result} budget={input?.budget ?? null} />}
      <WhatIf result={result} />
      <Limits limits={result.limits} />
    </>
  );
}

interface AgainstProps {
  readonly name: string;
  readonly part: number;
  readonly whole: number | null;
  readonly noLimit?: boolean;
  readonly unit?: string;
}

function AgainstLimit({ name, part, whole, noLimit = false, unit }: AgainstProps) {
  const { t, f } = useWordsOf(words);
  const share = whole !== null && whole > 0 ? part / whole : null;
  return (
    <Against name={name} share={share} tone={share !== null && share > 1 ? 'tone-bad' : ''}>
      {whole !== null && share !== null
        ? t.result.of(f.number(part), f.number(whole), f.percent(share))
        : `${f.number(part)}${noLimit ? ` (${t.result.noLimit})` : ''}`}
      {unit !== undefined && <span class="muted"> {unit}</span>}
    </Against>
  );
}

function Selected({ result, input }: AllocationProps) {
  const { selected, value } = result;
  const { t, f } = useWordsOf(words);
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const nameOf = namesOf(input?.items);
  const title = t.result.selected(f.number(selected.length), f.number(input?.items.length ?? selected.length));
  const most = Math.max(0, ...selected.map((id) => items.get(id)?.value ?? 0));
  const ordered = selected.toSorted((a, b) => (items.get(b)?.value ?? 0) - (items.get(a)?.value ?? 0));
  const { item, value: worth, share, costAxis, risk } = t.result;
  return (
    <TitledTable
      title={title}
      stacks
      head={[item, worth, share, costAxis(costUnit(result)), risk]}
      rows={ordered.map((id) => {
        const known = items.get(id);
        if (known === undefined) return [id, '–', '–', '–', '–'];
        return [
          <BarName name={nameOf(id)} share={most > 0 ? known.value / most : 0} />,
          known.value,
          value > 0 ? <Share value={known.value / value} /> : '–',
          known.cost,
          known.risk ?? 0,
        ];
      })}
    />
  );
}

function LeftOut({ result: { excluded_because: all }, input }: AllocationProps) {
  const { t, f } = useWordsOf(words);
  const nameOf = namesOf(input?.items);
  if (all.length === 0) return null;
  const title = t.result.leftOut(f.number(all.length));
  return (
    <LazyDetails title={title} open={all.length <= 20} prints>
      {() => (
        <DataTable
          label={title}
          head={[t.result.item, t.result.reason]}
          texts={[0, 1]}
          rows={all.map(({ id, reason }) => [nameOf(id), t.result.reasons[reason] ?? reason])}
        />
      )}
    </LazyDetails>
  );
}

function WhatIf({ result }: { readonly result: AllocationView }) {
  const { t, f } = useWordsOf(words);
  const { budget_minus_10: less, budget_plus_10: extra } = result.sensitivity;
  const row = (name: string, at: typeof less) =>
    at === null
      ? [name, t.result.tooSmall, '–', '–', '–', '–']
      : [
          at.optimality_proven === false ? `${name}, ${t.result.notProven}` : name,
          at.budget,
          at.value,
          <Quantity value={at.value - result.value} text={f.signed(at.value - result.value)} />,
          at.cost,
          at.risk,
        ];
  const { whatIf, budget, value, change, costAxis, risk } = t.result;
  return (
    <TitledTable
      title={whatIf}
      stacks
      head={[whatIf, `${budget}, ${costUnit(result)}`, value, change, costAxis(costUnit(result)), risk]}
      rows={[row(t.result.less, less), row(t.result.extra, extra)]}
    />
  );
}

// Value against cost of the choices that none of the others beats, and of the one that was chosen; a cursor reads them one by one.

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
  const { pareto: title, paretoText, chosen, others, budgetLine, costAxis, value: values, risk: risks } = t.result;
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
          head={[values, costAxis(costUnit(result)), risks]}
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
  const { value, cost, risk } = result;
  const costs = spanOf([cost, ...points.map((each) => each.cost), ...(budget === null ? [] : [budget])]);
  const size = linear(spanOf([risk, ...points.map((each) => each.risk)]), [radius.least, radius.most]);
  const pointed = points[at];
  return (
    <Plane
      frame={frame}
      width={width}
      height={height}
      x={{ span: widened(costs, 0.04), labelled: costs, label: t.result.costAxis(costUnit(result)) }}
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
