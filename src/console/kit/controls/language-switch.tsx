/** The choice between the languages of the console. */
import { languageNames, languages } from '../text/language.js';
import { useText } from '../text/context.js';

export function LanguageSwitch() {
  const { k, language, choose } = useText();
  return (
    <div class="segmented" role="group" aria-label={k.language}>
      {languages.map((each) => (
        <button type="button" key={each} lang={each} aria-pressed={each === language} onClick={() => choose(each)}>
          <span aria-hidden="true">{each.toUpperCase()}</span>
          <span class="sr-only">{languageNames[each]}</span>
        </button>
      ))}
    </div>
  );
}
