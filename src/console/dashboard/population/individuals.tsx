/** All individuals as a table, a page at a time: ten thousand rows at once would make every page slow. */
import { useEffect, useState } from 'preact/hooks';
import { DataTable } from '../../kit/charts/table.js';
import type { ChooserProps } from './population.js';
import { useWords } from '../text/words.js';
import { Turn } from '../parts/turn.js';
import { pageOf } from '../parts/page-of.js';

const page_rows = 25;

export function IndividualTable({ population, order, chosen, choose }: ChooserProps) {
  const { t, f } = useWords();
  const [wanted, setWanted] = useState(0);
  const at = chosen === null ? -1 : order.indexOf(chosen);
  useEffect(() => {
    if (at >= 0) setWanted(Math.floor(at / page_rows));
  }, [at]);
  const { items, page, pages, from } = pageOf(order, wanted, page_rows);
  return (
    <>
      <DataTable
        label={t.population.table}
        head={[t.population.number, t.population.effectiveness, t.population.risk, t.population.complexity, t.population.rank]}
        texts={[]}
        rows={items.map((index, i) => {
          const one = population[index];
          const number = f.number(from + i + 1);
          return [
            <button
              type="button"
              class="small pick"
              aria-pressed={index === chosen}
              aria-label={t.population.pick(number)}
              onClick={() => choose(index)}
            >
              {number}
            </button>,
            f.number(one?.effectiveness ?? 0),
            f.number(one?.risk ?? 0),
            f.number(one?.complexity ?? 0),
            f.number(one?.rank ?? 0),
          ];
        })}
      />
      <Turn label={t.population.pages} page={page} pages={pages} size={page_rows} count={order.length} turn={setWanted} />
    </>
  );
}
