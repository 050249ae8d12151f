/** What several kinds of results say. */
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

/** What the engine says that its result does not mean, in its own words. */
export function Limits({ limits }: { readonly limits: string | readonly string[] }) {
  const { t } = useWordsOf(words);
  const all = typeof limits === 'string' ? [limits] : limits;
  if (all.length === 0) return null;
  return (
    <div class="limits">
      <h3>{t.limits}</h3>
      <ul lang="en">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** Says how good the result is known to be: proven optimal, or within a distance from the bound. */
export function useProofText(): (proven: 'bound' | 'search' | false, gap: number, above: boolean) => string {
  const { t, f } = useWordsOf(words);
  return (proven, gap, above) => {
    if (proven === 'bound') return t.proven;
    if (proven === 'search') return t.provenSearch;
    return above ? t.gapAbove(f.percent(gap)) : t.gap(f.percent(gap));
  };
}
