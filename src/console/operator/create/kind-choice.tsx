/** The choice of a kind: one that this agent cannot execute says why, and cannot be chosen. */
import { useId } from 'preact/hooks';
import { kinds, type Kind } from '../../../codec/kinds.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function KindChoice({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  const { t } = useWords();
  const wordsOf = useKindWords();
  const { capabilities } = useSession().status;
  const id = useId();
  return (
    <fieldset class="kinds">
      <legend>{t.create.kind}</legend>
      {kinds.map((each) => {
        const why = capabilities.find((one) => one.kind === each && !one.available)?.detail;
        return (
          <label key={each} class={why === undefined ? '' : 'kind-unavailable'}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={each === kind}
              disabled={why !== undefined}
              aria-describedby={why === undefined ? undefined : `${id}-${each}`}
              onChange={() => choose(each)}
            />
            <span>
              <strong>{wordsOf(each).name}</strong>
              <span class="help">{wordsOf(each).about}</span>
              {why !== undefined && (
                <span class="help kind-why" id={`${id}-${each}`}>
                  {t.create.unavailable}: <span lang="en">{why}</span>
                </span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
