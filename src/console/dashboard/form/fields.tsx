/** The fields of a request that are single values. */
import { curves } from '../../../codec/simulation.js';
import { Field } from '../../kit/forms/field.js';
import type { Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';

export interface FieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}

export function ScenarioFields({ draft, set }: FieldsProps) {
  const { t } = useWords();
  const c = t.form;
  const names = curves.map((each) => [each, c.curves[each]] as const);
  return (
    <fieldset class="group">
      <legend>{c.scenario}</legend>
      <div class="cells">
        <Field
          numeric
          path="horizon"
          label={c.horizon}
          hint={c.horizonHint}
          placeholder="5"
          value={draft.horizon}
          set={(horizon) => set({ horizon })}
        />
        <Field
          path="curve"
          label={c.curve}
          options={[['', c.curveDefault(c.curves.logistic)], ...names]}
          value={draft.curve}
          set={(curve) => set({ curve })}
        />
        <Field numeric path="k" label={c.k} hint={c.kHint} value={draft.k} set={(k) => set({ k })} />
        <Field numeric path="x0" label={c.x0} hint={c.x0Hint} placeholder="0" value={draft.x0} set={(x0) => set({ x0 })} />
      </div>
      <p class="help">{c.decimal}</p>
    </fieldset>
  );
}

export function SearchFields({ draft, set }: FieldsProps) {
  const { t } = useWords();
  const c = t.form;
  return (
    <fieldset class="group">
      <legend>{c.search}</legend>
      <div class="cells">
        <Field
          numeric
          path="pop_size"
          label={c.population}
          hint={c.populationHint}
          placeholder="6"
          value={draft.pop_size}
          set={(pop_size) => set({ pop_size })}
        />
        <Field
          numeric
          path="generations"
          label={c.generations}
          hint={c.generationsHint}
          placeholder="3"
          value={draft.generations}
          set={(generations) => set({ generations })}
        />
        <Field
          numeric
          path="mut_rate"
          label={c.mutation}
          hint={c.rateHint}
          placeholder="0.1"
          value={draft.mut_rate}
          set={(mut_rate) => set({ mut_rate })}
        />
        <Field
          numeric
          path="xover_rate"
          label={c.crossover}
          hint={c.rateHint}
          placeholder="0.5"
          value={draft.xover_rate}
          set={(xover_rate) => set({ xover_rate })}
        />
      </div>
    </fieldset>
  );
}

export function RepeatFields({ draft, set }: FieldsProps) {
  const { t } = useWords();
  const c = t.form;
  return (
    <fieldset class="group">
      <legend>{c.repeat}</legend>
      <div class="cells">
        <Field
          numeric
          path="samples"
          label={c.samples}
          hint={c.samplesHint}
          placeholder="0"
          value={draft.samples}
          set={(samples) => set({ samples })}
        />
        <Field numeric path="seed" label={c.seed} hint={c.seedHint} value={draft.seed} set={(seed) => set({ seed })} />
      </div>
    </fieldset>
  );
}
