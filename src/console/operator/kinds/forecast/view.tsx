/** Forecast missions in the console. */
import { useMemo } from 'preact/hooks';
import { dateUnits, parseMoment } from '../../../../kinds/forecast/calendar.js';
import { forecastExample } from '../../../../kinds/forecast/example.js';
import { forecastInputs, forecastRequest, forecastResult } from '../../../../kinds/forecast/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Member, Members } from '../../../kit/forms/fields.js';
import { numbersOf } from '../../../kit/forms/values.js';
import { TableField } from '../../../kit/grid/grid.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type DraftOf, type FormProps, groupFields, type KindView, plainMembers, workFields } from '../shared/work.js';
import { type Dates, dateOf } from './dates.js';
import { cellOfObservation, draft } from './draft.js';
import { ForecastResult } from './result.js';
import { words } from './words.js';

export const forecast: KindView<'forecast'> = {
  example: forecastExample,
  ...draft,
  search: [],
  Form: ForecastForm,
  result: ({ request, result }) => {
    const view = viewOf(forecastResult, result);
    return view === null ? null : <ForecastResult result={view} input={viewOf(forecastRequest, request)?.work ?? null} />;
  },
  inputs: forecastInputs,
};

/** A series, and how far ahead it is continued. */
const fields = workFields('forecast');
const names = plainMembers('forecast', 'observations', 'start', 'step');
const stepFields = groupFields('forecast', 'step');
/** Lists of numbers: the page says what it read of them, so that a wrong separator is seen before it is sent. */
const lists: readonly string[] = ['seasons', 'levels'];

function ForecastForm({ draft, set }: FormProps<'forecast'>) {
  const { t } = useWordsOf(words);
  const read = (text: string): string | undefined => {
    const values = numbersOf(text);
    const wrong = values.find((value) => typeof value === 'string');
    if (wrong !== undefined) return t.form.notRead(wrong);
    return values.length === 0 ? undefined : t.form.read(values.length, String(values[0]), String(values.at(-1)));
  };
  const columns = useMemo(() => [{ name: 'value', label: t.form.value, numeric: true }], [t]);
  const dates = datesOf(draft);
  const blank: Readonly<Record<string, string>> = { gaps: t.form.noGaps, outliers: t.form.notLast };
  return (
    <>
      <TableField
        title={t.fields.observations.label}
        path="work.observations"
        columns={columns}
        rows={draft.observations}
        set={(observations) => set({ observations })}
        cellOf={cellOfObservation}
        rowNames={dates === null ? undefined : { label: t.result.date, of: (row) => dateOf(dates, row + 1) ?? String(row + 1) }}
      />
      <p class="help">{t.fields.observations.hint}</p>
      <Members
        names={names}
        fields={fields}
        within="work."
        words={t.fields}
        texts={draft}
        set={set}
        more={(name, text) => {
          if (name === 'regressors') return { rows: 3 };
          return name in blank ? { blank: blank[name] } : lists.includes(name) ? { read: read(text) } : {};
        }}
      />
      <DateFields draft={draft} set={set} />
    </>
  );
}

/** The dates of the rows; null until a date and a step are given. */
function datesOf({ start, step }: DraftOf<'forecast'>): Dates | null {
  const unit = dateUnits.find((each) => each === step.unit);
  const count = step.count.trim() === '' ? 1 : Number(step.count);
  return unit === undefined || parseMoment(start) === null || !Number.isInteger(count) || count < 1
    ? null
    : { start, step: { unit, count } };
}

function DateFields({ draft, set }: FormProps<'forecast'>) {
  const { t, k } = useWordsOf(words);
  const { label, members } = t.fields.step;
  return (
    <fieldset class="rows">
      <legend>
        {label} ({k.rows.optional})
      </legend>
      <p class="help">{t.form.datesHint}</p>
      <Member field={fields.start} path="work.start" words={t.fields.start} value={draft.start} set={(start) => set({ start })} />
      <Members
        names={['unit', 'count']}
        fields={stepFields}
        within="work.step."
        words={members}
        texts={draft.step}
        set={(part) => set({ step: { ...draft.step, ...part } })}
        more={(name) => (name === 'unit' ? { blank: t.form.noStep } : {})}
      />
    </fieldset>
  );
}
