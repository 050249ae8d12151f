/** A forecast: the fan chart, how well it did on the holdout, and the models in the mean. */
import { Fan } from './fan.js';
import { Bar, DataTable } from '../../../kit/charts/table.js';
import { useWords } from '../../text/words.js';
import { Limits } from '../shared/common.js';
import { Figures } from '../../../kit/controls/figures.js';

interface ForecastProps {
  readonly result: ForecastView;
  /** Null after erasure. */
  readonly history: readonly number[] | null;
}

export function ForecastResult({ result, history }: ForecastProps) {
  const { t, f } = useWords();
  const { holdout_mae, holdout_mase, holdout_smape, baseline_mae, improvement, unit } = result;
  return (
    <>
      <Figures
        figures={[
          [t.forecast.mae, f.number(holdout_mae), unit],
          holdout_mase === null ? null : [t.forecast.mase, f.number(holdout_mase), t.forecast.maseHint],
          [t.forecast.smape, f.percent(holdout_smape / 100)],
          [
            t.forecast.baseline,
            f.number(baseline_mae),
            ...(improvement === null ? ([] as const) : ([t.results.better(f.percent(improvement))] as const)),
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
  const { t, f } = useWords();
  if (coverage.length === 0) return null;
  return (
    <>
      <h3>{t.forecast.coverage}</h3>
      {coverage.map(({ level, share }) => (
        <div class="against" key={level}>
          <span class="against-name">{t.forecast.interval(f.number(level))}</span>
          <Bar share={share} />
          <span class="against-text">{f.percent(share)}</span>
        </div>
      ))}
    </>
  );
}

function Models({ result: { models } }: { readonly result: ForecastView }) {
  const { t, f } = useWords();
  const used = models.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  if (used.length === 0) return null;
  return (
    <>
      <h3>{t.forecast.models}</h3>
      <DataTable
        label={t.forecast.models}
        head={[t.forecast.model, t.forecast.weight]}
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
