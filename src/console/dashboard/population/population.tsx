/** The population: effectiveness against risk, and what one individual is. One is chosen by pointer, slider, button or table. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ListedIndividual, type Results, resultsCodec } from '../../../codec/api-simulation.js';
import type { ReaderProps } from '../../kit/charts/cursor.js';
import { Figure } from '../../kit/charts/figure.js';
import { spanOf } from '../../kit/charts/scale.js';
import { Button, Check } from '../../kit/controls/inputs.js';
import { Facts, Loading, ProblemBox } from '../../kit/controls/pieces.js';
import { Share } from '../../kit/controls/table-tools.js';
import { BarName, DataTable } from '../../kit/controls/tables.js';
import { type Loadable, useLoad } from '../../kit/load.js';
import { Turn } from '../parts/parts.js';
import { pageOf, shownName, topShares } from '../pure/results.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { inOrder } from './places.js';
import { Scatter, shades } from './scatter.js';

const heightOf = (width: number): number => Math.round(Math.max(240, Math.min(400, width * 0.5)));

export function Population({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const { population } = results;
  const [frontOnly, setFrontOnly] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const order = useMemo(() => inOrder(population, frontOnly), [population, frontOnly]);
  const front = population.filter(({ rank }) => rank === 0).length;
  const alt = t.population.alt(f.number(population.length), f.number(front));
  const choosing = { population, order, chosen, choose: setChosen };
  const browser = useBrowser(choosing);
  const narrow = (only: boolean): void => {
    setFrontOnly(only);
    if (only && chosen !== null && population[chosen]?.rank !== 0) setChosen(null);
  };
  return (
    <Figure
      class="population"
      title={t.population.title}
      alt={alt}
      height={heightOf}
      reader={() => browser}
      lead={`${t.population.lead} ${t.population.riskText}`}
      controls={<Check text={t.population.frontOnly} checked={frontOnly} set={narrow} />}
      legend={
        <>
          <Legend population={population} frontOnly={frontOnly} />
          <div data-screen-only>
            <QuickPicks {...choosing} />
            <Chosen results={results} index={chosen} place={chosen === null ? 0 : order.indexOf(chosen) + 1} />
          </div>
        </>
      }
      tableTitle={t.population.table}
      table={() => <IndividualTable {...choosing} />}
    >
      {(room) => <Scatter {...room} population={population} shown={order} chosen={chosen} choose={setChosen} />}
    </Figure>
  );
}

function Legend({ population, frontOnly }: { readonly population: readonly ListedIndividual[]; readonly frontOnly: boolean }) {
  const { t, f } = useWords();
  const [least, most] = spanOf(population.map(({ complexity }) => complexity));
  return (
    <p class="legend">
      <span class="key key-dot tone-accent">{t.population.front}</span>
      {!frontOnly && <span class="key key-dot tone-accent key-behind">{t.population.behind}</span>}
      <span class="pair">
        {t.population.leastComplex(f.number(least))}
        <span aria-hidden="true">
          {Array.from({ length: shades }, (_, i) => (
            <span class="shade" style={{ background: `var(--shade-${i})` }} key={i} />
          ))}
        </span>
        {t.population.mostComplex(f.number(most))}
      </span>
    </p>
  );
}

interface ChooserProps {
  readonly population: readonly ListedIndividual[];
  /** Indices in the order of reading. */
  readonly order: readonly number[];
  readonly chosen: number | null;
  readonly choose: (index: number | null) => void;
}

/** A slider has every key that is needed to browse ten thousand individuals, and says which one is selected. */
function useBrowser({ population, order, chosen, choose }: ChooserProps): ReaderProps {
  const { t, f } = useWords();
  const at = chosen === null ? 0 : order.indexOf(chosen) + 1;
  const individual = chosen === null ? undefined : population[chosen];
  const figures =
    individual === undefined ? [] : [individual.effectiveness, individual.risk, individual.complexity, individual.rank];
  const [effectiveness = '', risk = '', complexity = '', rank = ''] = figures.map(f.number);
  const reading =
    individual === undefined
      ? t.population.nobody
      : t.population.spoken(f.number(at), f.number(order.length), effectiveness, risk, complexity, rank);
  const label = t.population.slider;
  return { label, count: order.length + 1, at, choose: (place) => choose(order[place - 1] ?? null), reading };
}

function QuickPicks({ population, order, chosen, choose }: ChooserProps) {
  const { t } = useWords();
  const front = order.flatMap((i) => (population[i]?.rank === 0 ? [[i, population[i]] as const] : []));
  const best = (measure: (individual: ListedIndividual) => number): number | null =>
    front.toSorted(([, a], [, b]) => measure(a) - measure(b))[0]?.[0] ?? null;
  const picks = [
    [t.population.most, ({ effectiveness }: ListedIndividual) => -effectiveness],
    [t.population.safest, ({ risk }: ListedIndividual) => risk],
    [t.population.simplest, ({ complexity }: ListedIndividual) => complexity],
  ] as const;
  return (
    <div class="quick actions" role="group" aria-label={t.population.quick}>
      {picks.map(([name, measure]) => (
        <Button class="small" key={name} onClick={() => choose(best(measure))} text={name} />
      ))}
      {chosen !== null && <Button class="small quiet" onClick={() => choose(null)} text={t.population.clear} />}
    </div>
  );
}

const top_count = 10;

interface ChosenProps {
  readonly results: Results;
  /** Null while none is chosen. */
  readonly index: number | null;
  /** Its place in the order of reading, from 1. */
  readonly place: number;
}

/** One individual: what it is worth, and how it shares its effort among the sectors. */
function Chosen({ results, index, place }: ChosenProps) {
  const { t, f } = useWords();
  const genomes = useGenomes(results, index !== null);
  const individual = index === null ? undefined : results.population[index];
  if (index === null || individual === undefined) return <p class="muted">{t.population.choose}</p>;
  const { effectiveness, risk, complexity, rank } = individual;
  const genome = genomes.data?.[index]?.genome;
  return (
    <section class="card chosen-one" aria-label={t.population.chosen(f.number(place))}>
      <h4>
        {t.population.chosen(f.number(place))}{' '}
        <span class="muted">{rank === 0 ? t.population.onFront : t.population.behindFront(f.number(rank))}</span>
      </h4>
      <Facts
        beside
        facts={[
          [t.population.effectiveness, f.number(effectiveness)],
          [t.population.risk, risk < 0 ? t.population.surplus(f.number(risk), f.number(-risk)) : f.number(risk)],
          [t.population.complexity, f.number(complexity)],
        ]}
      />
      {genomes.problem !== null && <ProblemBox title={t.failed.solution} problem={genomes.problem} retry={genomes.reload} />}
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
    <BarName name={shownName(sectors[index]?.name ?? String(index))} share={share / most} />,
    <Share value={share} />,
  ]);
  const rest =
    others === 0 ? [] : [[<span class="muted">{t.population.others(f.number(others))}</span>, <Share value={othersShare} />]];
  return (
    <>
      <p>{t.population.sharesText(f.percent(total))}</p>
      <DataTable label={t.population.shares} head={[t.sectors.name, t.population.share]} rows={[...rows, ...rest]} />
    </>
  );
}

/**
 * The individuals of a run with their genes, loaded once one is selected.
 * @param wanted false until they are needed: they can be many megabytes
 */
function useGenomes({ id }: Results, wanted: boolean): Loadable<readonly ListedIndividual[] | null> {
  const { api } = useSession();
  const asked = useRef(false);
  asked.current ||= wanted;
  const isAsked = asked.current;
  return useLoad(isAsked ? id : '', async (signal) =>
    isAsked ? (await api.get(`/results/${id}?genome=1`, resultsCodec, signal)).population : null,
  );
}

const page_rows = 25;

/** All individuals as a table, a page at a time: ten thousand rows at once would make every page slow. */
function IndividualTable({ population, order, chosen, choose }: ChooserProps) {
  const { t, f } = useWords();
  const [wanted, setWanted] = useState(0);
  const at = chosen === null ? -1 : order.indexOf(chosen);
  useEffect(() => {
    if (at >= 0) setWanted(Math.floor(at / page_rows));
  }, [at]);
  const part = pageOf(order, wanted, page_rows);
  return (
    <>
      <DataTable
        label={t.population.table}
        head={[t.population.number, t.population.effectiveness, t.population.risk, t.population.complexity, t.population.rank]}
        texts={[]}
        rows={part.items.map((index, i) => {
          const individual = population[index];
          const number = f.number(part.from + i + 1);
          return [
            <Button
              class="small pick"
              aria-pressed={index === chosen}
              aria-label={t.population.pick(number)}
              onClick={() => choose(index)}
              text={number}
            />,
            ...(['effectiveness', 'risk', 'complexity', 'rank'] as const).map((name) => individual?.[name] ?? 0),
          ];
        })}
      />
      <Turn of={part} turn={setWanted} />
    </>
  );
}
