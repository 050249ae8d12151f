/** A series, and how far ahead it is continued. */
import { useWords } from '../../text/words.js';
import { Field } from '../../../kit/forms/field.js';
import { type FormProps } from '../../create/model.js';
import { numbersOf } from '../../../kit/forms/values.js';

/** What was read of a list of numbers, so that a wrong separator is seen before it is sent. */
function useRead(): (text: string) => string | undefined {
  const { t } = useWords();
  return (text) => {
    const values = numbersOf(text);
    const wrong = values.find((value) => typeof value === 'string');
    if (wrong !== undefined) return t.create.notRead(wrong);
    return values.length === 0 ? undefined : t.create.read(values.length, String(values[0]), String(values.at(-1)));
  };
}

export function ForecastForm({ draft, set }: FormProps<'forecast'>) {
  const { t } = useWords();
  const c = t.create;
  const read = useRead();
  return (
    <>
      <Field
        mono
        path="work.observations"
        label={c.observations}
        hint={c.observationsHint}
        read={read(draft.observations)}
        rows={5}
        value={draft.observations}
        set={(observations) => set({ observations })}
      />
      <div class="cells">
        <Field
          numeric
          path="work.horizon"
          label={c.horizon}
          placeholder="3"
          value={draft.horizon}
          set={(horizon) => set({ horizon })}
        />
        <Field
          numeric
          path="work.holdout"
          label={c.holdout}
          hint={c.holdoutHint}
          placeholder="4"
          value={draft.holdout}
          set={(holdout) => set({ holdout })}
        />
        <Field
          path="work.season"
          label={c.season}
          hint={c.seasonHint}
          placeholder="1"
          value={draft.season}
          set={(season) => set({ season })}
        />
        <Field
          path="work.levels"
          label={c.levels}
          hint={c.levelsHint}
          read={read(draft.levels)}
          placeholder="50 80 95"
          value={draft.levels}
          set={(levels) => set({ levels })}
        />
        <Field path="work.unit" label={c.unit} placeholder="units" value={draft.unit} set={(unit) => set({ unit })} />
      </div>
    </>
  );
}
