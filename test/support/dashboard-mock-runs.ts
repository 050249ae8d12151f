/** The runs of the dashboard's stand-in server: the real engine computes them; when they proceed is for the test to say. */
import * as E from 'fp-ts/lib/Either.js';
import { sha256Hex } from '../../src/base/hash.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { Refusal } from '../../src/base/refusal.js';
import type { ProgressMessage, Results, Run } from '../../src/codec/api-simulation.js';
import { decode } from '../../src/codec/kit.js';
import { settled, simulationInput, type RunState, type SimulationRequest } from '../../src/codec/simulation.js';
import type { SimulationOutcome } from '../../src/codec/simulation-results.js';
import { endOf, simulate } from '../../src/engines/simulation/engine.js';

export interface MockRun {
  readonly id: string;
  readonly request: SimulationRequest;
  readonly created_at: string;
  state: RunState;
  started_at: string | null;
  finished_at: string | null;
  error: { readonly code: string; readonly message: string } | null;
  outcome: SimulationOutcome | null;
  readonly messages: ProgressMessage[];
}

export interface MockRuns {
  readonly all: () => readonly MockRun[];
  readonly find: (id: string) => MockRun | undefined;
  readonly request: (document: unknown) => E.Either<Refusal, MockRun>;
  /** Computes a queued run as far as `generations` generations are told; it then is running. */
  readonly begin: (run: MockRun, generations: number) => void;
  /** Tells what is left and ends it, with its outcome where it succeeded. */
  readonly end: (run: MockRun, state: RunState, error?: MockRun['error']) => void;
}

/** @param tell hears every message as it comes */
export function mockRuns(tell: (message: ProgressMessage) => void): MockRuns {
  const runs: MockRun[] = [];
  const now = (): string => new Date().toISOString().replace('Z', '000Z');
  const rest = new Map<string, ProgressMessage[]>();
  const say = (run: MockRun, messages: readonly ProgressMessage[]): void => {
    for (const message of messages) {
      run.messages.push(message);
      tell(message);
    }
  };
  return {
    all: () => runs.toReversed(),
    find: (id) => runs.find((run) => run.id === id),
    request: (document) =>
      E.map((input: Parameters<typeof settled>[0]) => {
        const id = (runs.length + 1).toString(16).padStart(16, '0');
        const request = settled(input, runs.length + 1);
        const idle = { started_at: null, finished_at: null, error: null, outcome: null };
        const run: MockRun = { id, request, state: 'queued', created_at: now(), ...idle, messages: [] };
        runs.push(run);
        return run;
      })(decode(simulationInput, document)),
    begin: (run, generations) => {
      const { outcome, messages } = computed(run);
      run.state = 'running';
      run.started_at = now();
      run.outcome = outcome;
      const told = messages.filter((message) => message.type !== 'generation' || message.generation <= generations);
      rest.set(run.id, messages.slice(told.length));
      say(run, told);
    },
    end: (run, state, error = null) => {
      if (state === 'succeeded') say(run, rest.get(run.id) ?? []);
      else run.outcome = null;
      Object.assign(run, { state, error, finished_at: now() });
      say(run, [{ id: run.id, type: 'ended', state }]);
    },
  };
}

function computed({ id, request }: MockRun): { readonly outcome: SimulationOutcome; readonly messages: ProgressMessage[] } {
  const messages: ProgressMessage[] = [];
  const outcome = simulate(request, ['main'], {
    checkpoint: () => undefined,
    onYear: (year, affected) => messages.push({ id, type: 'year', year, affected }),
    onGeneration: (generation) => messages.push({ id, type: 'generation', generation }),
  });
  return { outcome, messages };
}

/** As GET /runs shows it. */
export const recordOf = ({ outcome, messages, ...run }: MockRun): Run => ({
  ...run,
  outcome: run.state === 'succeeded' ? endOf(run.request) : null,
  progress: messages.filter(({ type }) => type === 'generation').length / run.request.generations,
  islands: ['main'],
  runner: 'daemon',
  attempt: 1,
  lease_expires_at: null,
  outcome_hash: run.state === 'succeeded' && outcome !== null ? sha256Hex(canonicalJson(outcome)) : null,
  revision: 1,
});

/** As GET /results shows it. */
export function resultsOf({ id, outcome, created_at, finished_at }: MockRun, genome: boolean): Results | null {
  if (outcome === null) return null;
  const population = genome ? outcome.population : outcome.population.map(({ genome: _genome, ...one }) => one);
  const journal = { seq: 1, hash: sha256Hex(id) };
  return {
    id,
    ...outcome,
    population,
    outcome_hash: sha256Hex(canonicalJson(outcome)),
    created_at,
    completed_at: finished_at ?? created_at,
    journal,
  };
}
