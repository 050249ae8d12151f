/** The inputs of a run, as people read them and in full. */
import { curves } from '../../../codec/simulation.js';
import { Facts, JsonDetails, Mono, type Fact } from '../../kit/controls/pieces.js';
import type { Results } from '../../../codec/api-simulation.js';
import type { SimulationRequest } from '../../../codec/simulation.js';
import { useWords } from '../text/words.js';

export function RequestFacts({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const { request, islands, engine } = results;
  const { horizon, curve, k, x0, pop_size, generations, mut_rate, xover_rate } = request;
  const name = curves.find((each) => each === curve);
  const or = (value: number | null): string => (value === null ? t.run.byDefault : f.number(value));
  const facts: Fact[] = [
    [t.form.fields.horizon.label, f.number(horizon)],
    [t.form.fields.curve.label, t.run.curveWith(name === undefined ? curve : t.form.fields.curve.options[name], or(k), or(x0))],
    [t.form.sectors, useSectorsText(request)],
    [t.form.search, t.run.searchText(f.number(pop_size), f.number(generations), f.number(mut_rate), f.number(xover_rate))],
    [t.form.fields.samples.label, useDrawsText(results)],
    [t.form.fields.seed.label, <Mono key="seed">{request.seed}</Mono>],
    [t.run.islands, islands.join(', ')],
    [t.run.engine, `${engine.name} ${engine.version}`],
  ];
  return (
    <section aria-labelledby="request">
      <h2 id="request">{t.run.request}</h2>
      <Facts wide facts={facts} />
      <JsonDetails title={t.run.requestAll} value={request} />
    </section>
  );
}

function useSectorsText({ sectors, num_sectors, energy, entropy }: SimulationRequest): string {
  const { t, f } = useWords();
  if (sectors !== null) return t.run.sectorsGiven(f.number(sectors.length));
  return t.run.sectorsAlike(f.number(num_sectors), f.number(energy), f.number(entropy));
}

function useDrawsText({ draws }: Results): string {
  const { t, f } = useWords();
  if (draws === undefined) return t.run.samplesNone;
  const { samples, pace, steepness } = draws;
  const text = t.run.drawsText(f.number(samples), f.percent(pace.sigma));
  return steepness === null ? text : text + t.run.drawsSteep(f.percent(steepness.sigma));
}
