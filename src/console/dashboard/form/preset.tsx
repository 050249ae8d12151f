/** The choice of what the form begins with. */
import { presetNames, presetOf, presets, type Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';

interface PresetProps {
  readonly draft: Draft;
  readonly choose: (draft: Draft) => void;
  /** Starts a run of a preset as it is. */
  readonly start: (draft: Draft) => void;
  readonly busy: boolean;
  readonly from: string | null;
}

export function PresetChoice({ draft, choose, start, busy, from }: PresetProps) {
  const { t } = useWords();
  const current = presetOf(draft);
  return (
    <>
      <fieldset class="kinds presets">
        <legend>{t.form.preset}</legend>
        {presetNames.map((name) => (
          <div class="preset" key={name}>
            <label>
              <input type="radio" name="preset" value={name} checked={name === current} onChange={() => choose(presets[name])} />
              <span>
                <strong>{t.form.presets[name].name}</strong>
                <span class="help">{t.form.presets[name].text}</span>
              </span>
            </label>
            <button
              type="button"
              class="small"
              disabled={busy}
              aria-label={t.form.startOf(t.form.presets[name].name)}
              onClick={() => start(presets[name])}
            >
              {t.form.startPreset}
            </button>
          </div>
        ))}
      </fieldset>
      {current === null && <p class="help">{from === null ? t.form.changed : t.form.fromRun(from)}</p>}
    </>
  );
}
