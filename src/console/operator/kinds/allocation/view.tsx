/** A portfolio against its budget and risk, what was left out and why, and what another budget would bring. */
import type { AllocationInput, AllocationView } from '../../../../kinds/allocation/view.js';
import { allocationInputs, allocationRequest, allocationResult } from '../../../../kinds/allocation/view.js';
import { namesOf, viewOf } from '../../../../kinds/view-fields.js';
import { Figures, LazyDetails } from '../../../kit/controls/pieces.js';
import { Quantity } from '../../../kit/controls/table-tools.js';
import { BarName, DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Against, Limits, TitledTable, useProofFigure } from '../shared/common.js';
import { words as sharedWords } from '../shared/words.js';
import { Pareto } from './pareto.js';
import { words } from './words.js';
import { allocationExample } from '../../../../kinds/allocation/example.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';

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
  const { value, bound, gap, optimality_proven, baseline, unit } = result;
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
      <AgainstLimit name={t.result.cost} part={result.cost} whole={input?.budget ?? null} unit={unit} />
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

function Selected({ result: { selected, value }, input }: AllocationProps) {
  const { t, f } = useWordsOf(words);
  const items = new Map(input?.items.map((item) => [item.id, item]));
  const nameOf = namesOf(input?.items);
  const title = t.result.selected(f.number(selected.length), f.number(input?.items.length ?? selected.length));
  const most = Math.max(0, ...selected.map((id) => items.get(id)?.value ?? 0));
  const ordered = selected.toSorted((a, b) => (items.get(b)?.value ?? 0) - (items.get(a)?.value ?? 0));
  const { item, value: worth, share, cost, risk } = t.result;
  return (
    <TitledTable
      title={title}
      stacks
      head={[item, worth, share, cost, risk]}
      rows={ordered.map((id) => {
        const known = items.get(id);
        if (known === undefined) return [id, '–', '–', '–', '–'];
        return [
          <BarName name={nameOf(id)} share={most > 0 ? known.value / most : 0} />,
          known.value,
          value > 0 ? <Quantity value={known.value / value} text={f.percent(known.value / value)} /> : '–',
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
          name,
          at.budget,
          at.value,
          <Quantity value={at.value - result.value} text={f.signed(at.value - result.value)} />,
          at.cost,
          at.risk,
        ];
  const { whatIf, budget, value, change, cost, risk } = t.result;
  return (
    <TitledTable
      title={whatIf}
      stacks
      head={[whatIf, budget, value, change, cost, risk]}
      rows={[row(t.result.less, less), row(t.result.extra, extra)]}
    />
  );
}
