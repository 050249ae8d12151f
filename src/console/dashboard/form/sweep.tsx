/** The part of the form that starts a sweep: the request of the form with one field varied. */
import { sweepCreated, type SweepField, sweepFields } from '../../../codec/sweep.js';
import { Button } from '../../kit/controls/inputs.js';
import { LazyDetails } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { Field } from '../../kit/forms/fields.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { useIsThere } from '../../kit/load.js';
import { sweepBodyOf } from '../pure/draft.js';
import { goTo, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

interface SweepProps {
  /** The request of the form. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** Called when the sweep is started. */
  readonly sent: () => void;
}

export function SweepForm(props: SweepProps) {
  const { t } = useWords();
  return <LazyDetails title={t.sweep.start}>{() => <Fields {...props} />}</LazyDetails>;
}

const first = { field: 'entropy', from: '1', to: '3', step: '0.5', seeds: '5' };
const numbers = ['from', 'to', 'step', 'seeds'] as const;

function Fields({ request, name, sent }: SweepProps) {
  const { t } = useWords();
  const { api, announce, busy, problem, run, forget } = useTask();
  const isThere = useIsThere();
  const { form: texts, set, forget: forgetKept } = useKeptState('sweep', first);
  const change = (part: Partial<typeof first>): void => (forget(), set(part));
  const start = (): void =>
    run(async () => {
      const { id } = await api.post('/sweeps', sweepCreated, { text: sweepBodyOf(request, name, texts) });
      sent();
      forgetKept();
      announce(t.sweep.started);
      if (isThere()) goTo({ page: 'sweep', id });
    });
  const options = sweepFields.map((each: SweepField) => [each, t.form.fields[each].label] as const);
  return (
    <>
      <p class="help">{t.sweep.startText}</p>
      <div class="cells">
        <Field
          path="sweep.field"
          label={t.sweep.field}
          value={texts.field}
          options={options}
          set={(field) => change({ field })}
        />
        {numbers.map((each) => (
          <Field
            key={each}
            path={`sweep.${each}`}
            label={t.sweep.numbers[each]}
            numeric
            value={texts[each]}
            set={(text) => change({ [each]: text })}
          />
        ))}
      </div>
      {problem !== null && <ProblemBox title={t.failed.startSweep} problem={problem} />}
      <div class="actions">
        <Button disabled={busy} onClick={start} text={t.sweep.startButton} />
      </div>
    </>
  );
}
