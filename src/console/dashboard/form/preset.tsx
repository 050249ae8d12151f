/** The choice of what the form begins with. */
import { presetNames, presetOf, presets, type Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';

interface PresetProps {
  readonly draft: Draft;
  readonly choose: (draft: Draft) => void;
  readonly from: string | null;
}

export function PresetChoice({ draft, choose, from }: PresetProps) {
  const { t } = useWords();
  const current = presetOf(draft);
  return (
    <>
      <fieldset class="kinds presets">
        <legend>{t.form.preset}</legend>
        {presetNames.map((name) => (
          <label key={name}>
            <input type="radio" name="preset" value={name} checked={name === current} onChange={() => choose(presets[name])} />
            <span>
              <strong>{t.form.presets[name].name}</strong>
              <span class="help">{t.form.presets[name].text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {current === null && <p class="help">{from === null ? t.form.changed : t.form.fromRun(from)}</p>}
    </>
  );
}
