/** A forecast: the fan chart, how well it did on the holdout, and the models in the mean. */
import type { ForecastView } from '../../../../kinds/forecast/view.js';
import { Fan } from './fan.js';
import { Bar, DataTable } from '../../../kit/charts/table.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words as sharedWords } from '../shared/words.js';
import { words } from './words.js';
import { Limits } from '../shared/common.js';
import { Figures } from '../../../kit/controls/figures.js';

interface ForecastProps {
  readonly result: ForecastView;
  /** Null if it was erased. */
  readonly history: readonly number[] | null;
}

export function ForecastResult({ result, history }: ForecastProps) {
  const { t, f } = useWordsOf(words);
  const { t: common } = useWordsOf(sharedWords);
  const compared = (share: number): string => {
    if (share === 0) return common.same;
    return share < 0 ? common.worse(f.percent(-share)) : common.better(f.percent(share));
  };
  const { holdout_mae, holdout_mase, holdout_smape, baseline_mae, improvement, unit } = result;
  return (
    <>
      <Figures
        figures={[
          [t.result.mae, f.number(holdout_mae), unit],
          holdout_mase === null ? null : [t.result.mase, f.number(holdout_mase), t.result.maseHint],
          [t.result.smape, f.percent(holdout_smape / 100)],
          [
            t.result.baseline,
            f.number(baseline_mae),
            ...(improvement === null ? ([] as const) : ([compared(improvement)] as const)),
          ],
        ]}
      />
      <Fan result={result} history={history ?? result.holdout_actual} />
      <Coverage result={result} />
      <Models result={result} />
      <Limits limits={result.limits} />
    </>
  );
}

function Coverage({ result: { coverage } }: { readonly result: ForecastView }) {
  const { t, f } = useWordsOf(words);
  if (coverage.length === 0) return null;
  return (
    <>
      <h3>{t.result.coverage}</h3>
      {coverage.map(({ level, share }) => (
        <div class="against" key={level}>
          <span class="against-name">{t.result.interval(f.number(level))}</span>
          <Bar share={share} />
          <span class="against-text">{f.percent(share)}</span>
        </div>
      ))}
    </>
  );
}

function Models({ result: { models } }: { readonly result: ForecastView }) {
  const { t, f } = useWordsOf(words);
  const used = models.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  if (used.length === 0) return null;
  return (
    <>
      <h3>{t.result.models}</h3>
      <DataTable
        label={t.result.models}
        head={[t.result.model, t.result.weight]}
        rows={used.map(({ name, weight }) => [
          <span class="bar-name" lang="en">
            {name}
            <Bar share={weight} />
          </span>,
          f.percent(weight),
        ])}
      />
    </>
  );
}
