/** The genes of a run's individuals: taken from the results, or loaded once an individual is selected. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { resultsCodec, type ListedIndividual, type Results } from '../../../codec/api-simulation.js';
import { useSession } from '../session/session.js';

interface Genomes {
  readonly population: readonly ListedIndividual[] | null;
  readonly problem: Problem | null;
  readonly retry: () => void;
}

/** @param wanted false until they are needed: they can be many megabytes */
export function useGenomes({ id, population }: Results, wanted: boolean): Genomes {
  const { api } = useSession();
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly population: readonly ListedIndividual[] } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const held = population[0]?.genome === undefined ? (loaded?.id === id ? loaded.population : null) : population;
  const needed = wanted && held === null;
  useEffect(() => {
    if (!needed) return undefined;
    const stop = new AbortController();
    setProblem(null);
    api.get(`/results/${id}?genome=1`, resultsCodec, stop.signal).then(
      (results) => !stop.signal.aborted && setLoaded({ id, population: results.population }),
      (error: unknown) => !stop.signal.aborted && setProblem(asProblem(error)),
    );
    return () => stop.abort();
  }, [needed, id, round]);
  return { population: held, problem, retry: () => setRound((n) => n + 1) };
}
