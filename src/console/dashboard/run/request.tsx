/** What a run was asked, as people read it, and in full. */
import { curves } from '../../../codec/simulation.js';
import { Facts, JsonDetails, Mono, type Fact } from '../../kit/controls/pieces.js';
import type { Request, Results } from '../api/shapes.js';
import { useWords } from '../text/words.js';

export function RequestFacts({ results }: { readonly results: Results }) {
  const { d, f } = useWords();
  const { request, islands, engine } = results;
  const { horizon, curve, k, x0, pop_size, generations, mut_rate, xover_rate } = request;
  const name = curves.find((each) => each === curve);
  const or = (value: number | null): string => (value === null ? d.run.byDefault : f.number(value));
  const facts: Fact[] = [
    [d.form.horizon, f.number(horizon)],
    [d.form.curve, d.run.curveWith(name === undefined ? curve : d.form.curves[name], or(k), or(x0))],
    [d.form.sectors, useSectorsText(request)],
    [d.form.search, d.run.searchText(f.number(pop_size), f.number(generations), f.number(mut_rate), f.number(xover_rate))],
    [d.form.samples, useDrawsText(results)],
    [d.form.seed, <Mono key="seed">{request.seed}</Mono>],
    [d.run.islands, islands.join(', ')],
    [d.run.engine, `${engine.name} ${engine.version}`],
  ];
  return (
    <section aria-labelledby="request">
      <h2 id="request">{d.run.request}</h2>
      <Facts wide facts={facts} />
      <JsonDetails title={d.run.requestAll} value={request} />
    </section>
  );
}

function useSectorsText({ sectors, num_sectors, energy, entropy }: Request): string {
  const { d, f } = useWords();
  if (sectors !== null) return d.run.sectorsGiven(f.number(sectors.length));
  return d.run.sectorsAlike(f.number(num_sectors), f.number(energy), f.number(entropy));
}

function useDrawsText({ draws }: Results): string {
  const { d, f } = useWords();
  if (draws === undefined) return d.run.samplesNone;
  const { samples, pace, steepness } = draws;
  const text = d.run.drawsText(f.number(samples), f.percent(pace.sigma));
  return steepness === null ? text : text + d.run.drawsSteep(f.percent(steepness.sigma));
}
