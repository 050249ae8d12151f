/** Forecast missions in the console. */
import { forecastExample } from '../../../../kinds/forecast/example.js';
import { forecastRequest, forecastResult } from '../../../../kinds/forecast/view.js';
import { viewOf } from '../../../../kinds/view-fields.js';
import { Member, Members } from '../../../kit/forms/fields.js';
import { PasteSheet } from '../../../kit/forms/paste-sheet.js';
import type { SheetFault, SheetWords } from '../../../kit/forms/sheet.js';
import { numbersOf } from '../../../kit/forms/values.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type FormProps, groupFields, type KindView, plainMembers, workFields } from '../shared/work.js';
import { draft } from './draft.js';
import { ForecastResult } from './result.js';
import { readSeries } from './sheet.js';
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
  input: () => null,
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
  const paste = (text: string, sheetWords: SheetWords): number | readonly SheetFault[] => {
    const reading = readSeries(text, sheetWords, t.form.sheet);
    if ('faults' in reading) return reading.faults;
    const { values, dates } = reading.series;
    const step = dates === null ? {} : { start: dates.start, step: { unit: dates.step.unit, count: String(dates.step.count) } };
    set({ observations: values.join('\n'), ...step });
    return values.length;
  };
  return (
    <>
      <PasteSheet hint={t.form.sheetHint} take={paste} />
      <Member
        mono
        field={fields.observations}
        path="work.observations"
        words={t.fields.observations}
        read={read(draft.observations)}
        rows={5}
        value={draft.observations}
        set={(observations) => set({ observations })}
      />
      <Members
        names={names}
        fields={fields}
        within="work."
        words={t.fields}
        texts={draft}
        set={set}
        more={(name, text) => (lists.includes(name) ? { read: read(text) } : {})}
      />
      <DateFields draft={draft} set={set} />
    </>
  );
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
