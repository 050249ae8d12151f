/** A forecast: the next values with their intervals, the fan chart, how well it did on the holdout, and the models in the mean. */
import type { ForecastInput, ForecastView } from '../../../../kinds/forecast/view.js';
import { forecastInputs, forecastRequest, forecastResult, weightsOf } from '../../../../kinds/forecast/view.js';
import { explanations } from '../../../../kinds/explained.js';
import { Explained, Figures } from '../../../kit/controls/pieces.js';
import { Quantity, Share } from '../../../kit/controls/table-tools.js';
import { BarName } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Against, Limits, TitledTable } from '../shared/common.js';
import { words as sharedWords } from '../shared/words.js';
import { Fan, StepsTable } from './fan.js';
import { type Series, useStepName } from './series.js';
import { words } from './words.js';
import { forecastExample } from '../../../../kinds/forecast/example.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import type { KindView } from '../shared/view.js';
import { form } from './draft.js';

export const forecast: KindView<'forecast'> = {
  example: forecastExample,
  form,
  search: [],
  result: ({ request, result }) => {
    const view = viewOf(forecastResult, result);
    return view && <ForecastResult result={view} input={viewOf(forecastRequest, request)?.work ?? null} />;
  },
  inputs: forecastInputs,
};

/** Steps that are listed below the chart; the chart's table has all of them. */
const listed_steps = 7;
/** Digits of the values that people read first; tables have more. */
const lead_digits = 4;

interface ForecastProps {
  readonly result: ForecastView;
  /** Null if it was erased. */
  readonly input: ForecastInput | null;
}

function ForecastResult({ result, input }: ForecastProps) {
  const { t, f } = useWordsOf(words);
  const { start, step } = input ?? {};
  const dates = start === undefined || step === undefined ? null : { start, step };
  const series: Series = { result, history: input?.observations ?? result.holdout_actual, dates };
  const { length } = result.forecast;
  return (
    <>
      <NextValues {...series} />
      <Fan {...series} />
      <h3>{t.result.nextValues}</h3>
      <StepsTable {...series} label={t.result.nextValues} count={listed_steps} />
      {length > listed_steps && <p class="help">{t.result.moreSteps(f.number(length))}</p>}
      <Accuracy result={result} />
      <Coverage result={result} />
      <Effects result={result} />
      <Models result={result} />
      <Limits limits={result.limits} />
    </>
  );
}

/** The first and the last step ahead, each between the ends of the widest interval. */
function NextValues(series: Series) {
  const { t, f } = useWordsOf(words);
  const name = useStepName(series);
  const { forecast, intervals, unit } = series.result;
  const widest = intervals.toSorted((a, b) => b.level - a.level)[0];
  const rounded = (value: number): string => f.number(Number(value.toPrecision(lead_digits)));
  const figure = (i: number): readonly [string, string, string] => {
    const [lower, upper] = [widest?.lower[i], widest?.upper[i]];
    const value = `${rounded(forecast[i] ?? 0)} ${unit}`;
    const range =
      widest === undefined || lower === undefined || upper === undefined
        ? ''
        : t.result.readInterval(t.result.interval(f.number(widest.level)), rounded(lower), rounded(upper));
    return [name(series.history.length + i + 1), value, range];
  };
  const last = forecast.length - 1;
  return last < 0 ? null : <Figures figures={last === 0 ? [figure(0)] : [figure(0), figure(last)]} />;
}

function Accuracy({ result }: { readonly result: ForecastView }) {
  const { k, t, f, language } = useWordsOf(words);
  const { t: common } = useWordsOf(sharedWords);
  const { MAE, MASE, sMAPE, baseline, holdout } = explanations[language];
  const compared = (share: number): string => {
    if (share === 0) return common.same;
    return share < 0 ? common.worse(f.percent(-share)) : common.better(f.percent(share));
  };
  const { holdout_mae, holdout_mase, holdout_smape, baseline_mae, improvement, unit } = result;
  return (
    <>
      <h3>
        <Explained means={holdout}>{t.result.accuracy}</Explained>
      </h3>
      <Figures
        figures={[
          [t.result.mae, f.number(holdout_mae), unit, MAE],
          holdout_mase === null ? null : [t.result.mase, f.number(holdout_mase), t.result.maseHint, MASE],
          [t.result.smape, f.percent(holdout_smape / 100), '', sMAPE],
          [
            t.result.baseline,
            f.number(baseline_mae),
            improvement === null ? unit : unit + k.semicolon + compared(improvement),
            baseline,
          ],
        ]}
      />
    </>
  );
}

function Coverage({ result: { coverage } }: { readonly result: ForecastView }) {
  const { t, f, language } = useWordsOf(words);
  if (coverage.length === 0) return null;
  return (
    <>
      <h3>{t.result.coverage}</h3>
      {coverage.map(({ level, share }) => (
        <Against
          key={level}
          name={<Explained means={explanations[language].interval}>{t.result.interval(f.number(level))}</Explained>}
          share={share}
        >
          {f.percent(share)}
        </Against>
      ))}
    </>
  );
}

/** What one unit of each regressor adds to the forecast of its step. */
function Effects({ result: { effects = [], unit } }: { readonly result: ForecastView }) {
  const { t, f, language } = useWordsOf(words);
  if (effects.length === 0) return null;
  const cell = (value: number | null) => (value === null ? '' : <Quantity value={value} text={f.number(value)} />);
  const interval = t.result.interval(f.number(90));
  const { effects: title, regressor, effect: effectOf, from, to, applied: taken } = t.result;
  return (
    <TitledTable
      title={title}
      means={explanations[language].effect}
      stacks
      head={[regressor, effectOf(unit), `${interval}, ${from}`, `${interval}, ${to}`, taken]}
      rows={effects.map(({ name, effect, lower, upper, applied }) => [name, ...[effect, lower, upper, applied].map(cell)])}
    />
  );
}

function Models({ result }: { readonly result: ForecastView }) {
  const { t } = useWordsOf(words);
  const used = weightsOf(result, t.result.medianOf);
  if (used.length === 0) return null;
  return (
    <TitledTable
      title={t.result.models}
      head={[t.result.model, t.result.weight]}
      rows={used.map(({ name, weight }) => [<BarName lang="en" name={name} share={weight} />, <Share value={weight} />])}
    />
  );
}
