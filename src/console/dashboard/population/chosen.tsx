/** One individual: what it is worth, and how it shares its effort among the sectors. */
import { useMemo } from 'preact/hooks';
import { Bar, DataTable } from '../../kit/charts/table.js';
import { Facts, Loading } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import type { Results } from '../../../codec/api-simulation.js';
import { shownName } from '../pure/results.js';
import { topShares } from '../pure/shares.js';
import { useWords } from '../text/words.js';
import { useGenomes } from './use-genomes.js';

const top_count = 10;

interface ChosenProps {
  readonly results: Results;
  /** Null while none is chosen. */
  readonly index: number | null;
  /** Its place in the order of reading, from 1. */
  readonly place: number;
}

export function Chosen({ results, index, place }: ChosenProps) {
  const { t, f } = useWords();
  const genomes = useGenomes(results, index !== null);
  const one = index === null ? undefined : results.population[index];
  if (index === null || one === undefined) return <p class="chosen-none">{t.population.choose}</p>;
  const { effectiveness, risk, complexity, rank } = one;
  const genome = genomes.population?.[index]?.genome;
  return (
    <section class="card chosen-one" aria-label={t.population.chosen(f.number(place))}>
      <h4>
        {t.population.chosen(f.number(place))}{' '}
        <span class="muted">{rank === 0 ? t.population.onFront : t.population.behindFront(f.number(rank))}</span>
      </h4>
      <Facts
        facts={[
          [t.population.effectiveness, f.number(effectiveness)],
          [t.population.risk, risk < 0 ? t.population.surplus(f.number(risk), f.number(-risk)) : f.number(risk)],
          [t.population.complexity, f.number(complexity)],
        ]}
      />
      {genomes.problem !== null && <ProblemBox title={t.failed.solution} problem={genomes.problem} retry={genomes.retry} />}
      {genome === undefined ? genomes.problem === null && <Loading /> : <Shares genome={genome} results={results} />}
    </section>
  );
}

function Shares({ genome, results: { sectors } }: { readonly genome: readonly number[]; readonly results: Results }) {
  const { t, f } = useWords();
  const { top, others, othersShare, total } = useMemo(() => topShares(genome, top_count), [genome]);
  if (top.length === 0) return <p>{t.population.noEffort}</p>;
  const most = top[0]?.share ?? 1;
  const rows = top.map(({ index, share }) => [
    <span class="bar-name">
      {shownName(sectors[index]?.name ?? String(index))}
      <Bar share={share / most} />
    </span>,
    f.percent(share),
  ]);
  const rest = others === 0 ? [] : [[<span class="muted">{t.population.others(f.number(others))}</span>, f.percent(othersShare)]];
  return (
    <>
      <p>{t.population.sharesText(f.percent(total))}</p>
      <DataTable label={t.population.shares} head={[t.population.sector, t.population.share]} rows={[...rows, ...rest]} />
    </>
  );
}
