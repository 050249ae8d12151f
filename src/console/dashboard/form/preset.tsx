/** The choice of what the form begins with. */
import { presetNames, presetOf, presets, type Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';

interface PresetProps {
  readonly draft: Draft;
  readonly choose: (draft: Draft) => void;
  readonly from: string | null;
}

export function PresetChoice({ draft, choose, from }: PresetProps) {
  const { d } = useWords();
  const current = presetOf(draft);
  return (
    <>
      <fieldset class="kinds presets">
        <legend>{d.form.preset}</legend>
        {presetNames.map((name) => (
          <label key={name}>
            <input type="radio" name="preset" value={name} checked={name === current} onChange={() => choose(presets[name])} />
            <span>
              <strong>{d.form.presets[name].name}</strong>
              <span class="help">{d.form.presets[name].text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {current === null && <p class="help">{from === null ? d.form.changed : d.form.fromRun(from)}</p>}
    </>
  );
}
