/** The population: effectiveness against risk, and what one individual is. One is chosen by pointer, slider, button or table. */
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { SaveMenu } from '../../kit/charts/save-menu.js';
import { spanOf } from '../../kit/charts/scale.js';
import { useWidth } from '../../kit/charts/use-width.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import type { ListedIndividual, Results } from '../../../codec/api-simulation.js';
import { Chosen } from './chosen.js';
import { IndividualTable } from './individuals.js';
import { inOrder } from './places.js';
import { useWords } from '../text/words.js';
import { Scatter } from './scatter.js';
import { shades } from './dots.js';

const heightOf = (width: number): number => Math.round(Math.max(240, Math.min(400, width * 0.5)));

export function Population({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const id = useId();
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const { population } = results;
  const [frontOnly, setFrontOnly] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const order = useMemo(() => inOrder(population, frontOnly), [population, frontOnly]);
  const front = population.reduce((count, { rank }) => count + (rank === 0 ? 1 : 0), 0);
  const narrow = (only: boolean): void => {
    setFrontOnly(only);
    if (only && chosen !== null && population[chosen]?.rank !== 0) setChosen(null);
  };
  return (
    <figure class="chart population" aria-labelledby={id} ref={figure}>
      <figcaption>
        <h3 id={id}>{t.population.title}</h3>
        <div class="chart-controls" data-screen-only>
          <label class="check">
            <input type="checkbox" checked={frontOnly} onChange={(event) => narrow(event.currentTarget.checked)} />
            {t.population.frontOnly}
          </label>
          <SaveMenu title={t.population.title} figure={figure} />
        </div>
      </figcaption>
      <p class="help">
        {t.population.lead} {t.population.riskText}
      </p>
      <div ref={ref} class="chart-room">
        {width > 0 && (
          <Scatter
            population={population}
            shown={order}
            chosen={chosen}
            choose={setChosen}
            alt={t.population.alt(f.number(population.length), f.number(front))}
            width={width}
            height={heightOf(width)}
          />
        )}
      </div>
      <Legend population={population} frontOnly={frontOnly} />
      <div data-screen-only>
        <Chooser population={population} order={order} chosen={chosen} choose={setChosen} />
        <Chosen results={results} index={chosen} place={chosen === null ? 0 : order.indexOf(chosen) + 1} />
      </div>
      <LazyDetails title={t.population.table}>
        {() => <IndividualTable population={population} order={order} chosen={chosen} choose={setChosen} />}
      </LazyDetails>
    </figure>
  );
}

function Legend({ population, frontOnly }: { readonly population: readonly ListedIndividual[]; readonly frontOnly: boolean }) {
  const { t, f } = useWords();
  const [least, most] = spanOf(population.map(({ complexity }) => complexity));
  return (
    <p class="legend">
      <span class="key key-front">{t.population.front}</span>
      {!frontOnly && <span class="key key-behind">{t.population.behind}</span>}
      <span class="shades">
        {t.population.leastComplex(f.number(least))}
        <span class="shade-ramp" aria-hidden="true">
          {Array.from({ length: shades }, (_, i) => (
            <span class={`shade shade-${i}`} key={i} />
          ))}
        </span>
        {t.population.mostComplex(f.number(most))}
      </span>
    </p>
  );
}

export interface ChooserProps {
  readonly population: readonly ListedIndividual[];
  /** Indices in the order of reading. */
  readonly order: readonly number[];
  readonly chosen: number | null;
  readonly choose: (index: number | null) => void;
}

/** A slider has every key that is needed to browse ten thousand individuals, and says which one is selected. */
function Chooser({ population, order, chosen, choose }: ChooserProps) {
  const { t, f } = useWords();
  const id = useId();
  const at = chosen === null ? 0 : order.indexOf(chosen) + 1;
  const one = chosen === null ? undefined : population[chosen];
  const of = f.number(order.length);
  const said =
    one === undefined
      ? t.population.nobody
      : t.population.spoken(
          f.number(at),
          of,
          f.number(one.effectiveness),
          f.number(one.risk),
          f.number(one.complexity),
          f.number(one.rank),
        );
  return (
    <div class="chooser">
      <label for={id}>
        {t.population.slider}{' '}
        <span class="muted" aria-hidden="true">
          {at === 0 ? t.population.nobody : t.population.position(f.number(at), of)}
        </span>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={order.length}
        step={1}
        value={at}
        aria-valuetext={said}
        onInput={(event) => choose(order[Number(event.currentTarget.value) - 1] ?? null)}
      />
      <QuickPicks population={population} order={order} chosen={chosen} choose={choose} />
    </div>
  );
}

function QuickPicks({ population, order, chosen, choose }: ChooserProps) {
  const { t } = useWords();
  const best = (measure: (one: ListedIndividual) => number): number | null => {
    let found: number | null = null;
    let least = Infinity;
    for (const i of order) {
      const one = population[i];
      if (one === undefined || one.rank !== 0 || measure(one) >= least) continue;
      least = measure(one);
      found = i;
    }
    return found;
  };
  const picks = [
    [t.population.most, ({ effectiveness }: ListedIndividual) => -effectiveness],
    [t.population.safest, ({ risk }: ListedIndividual) => risk],
    [t.population.simplest, ({ complexity }: ListedIndividual) => complexity],
  ] as const;
  return (
    <div class="quick" role="group" aria-label={t.population.quick}>
      {picks.map(([name, measure]) => (
        <button type="button" class="small" key={name} onClick={() => choose(best(measure))}>
          {name}
        </button>
      ))}
      {chosen !== null && (
        <button type="button" class="small quiet" onClick={() => choose(null)}>
          {t.population.clear}
        </button>
      )}
    </div>
  );
}
