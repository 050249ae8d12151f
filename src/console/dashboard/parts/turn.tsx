/** Turning the pages of a long table. */
import { useWords } from '../text/words.js';

interface TurnProps {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly size: number;
  readonly count: number;
  readonly turn: (page: number) => void;
}

export function Turn({ label, page, pages, size, count, turn }: TurnProps) {
  const { t, f } = useWords();
  if (pages < 2) return null;
  const last = Math.min(count, (page + 1) * size);
  return (
    <nav class="pager" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
        ← {t.population.previous}
      </button>
      <span role="status">{t.population.page(f.number(page * size + 1), f.number(last), f.number(count))}</span>
      <button type="button" disabled={page === pages - 1} onClick={() => turn(page + 1)}>
        {t.population.next} →
      </button>
    </nav>
  );
}
