/** What several kinds of results say. */
import { useWords } from '../../text/words.js';

/** What the engine says that its result does not mean, in its own words. */
export function Limits({ limits }: { readonly limits: string | readonly string[] }) {
  const { t } = useWords();
  const all = typeof limits === 'string' ? [limits] : limits;
  if (all.length === 0) return null;
  return (
    <div class="limits">
      <h3>{t.results.limits}</h3>
      <ul lang="en">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** How good the answer is known to be: proven, or at most so far from the bound. */
export function useProofText(): (proven: 'bound' | 'search' | false, gap: number, above: boolean) => string {
  const { t, f } = useWords();
  return (proven, gap, above) => {
    if (proven === 'bound') return t.results.proven;
    if (proven === 'search') return t.results.provenSearch;
    return above ? t.results.gapAbove(f.percent(gap)) : t.results.gap(f.percent(gap));
  };
}
