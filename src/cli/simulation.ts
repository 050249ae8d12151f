/** Formats simulation runs and ledger entries for people and spreadsheets. */
import type { AgentsReport } from '../app/simulation/agents.js';
import type { RunRecord } from '../app/simulation/runs/stored.js';
import type { LedgerEntry } from '../codec/simulation-ledger.js';
import type { SimulationRequest } from '../codec/simulation.js';
import { paint } from './paint.js';
import type { Colour } from '../pictures/screen.js';
import { figure } from '../pictures/figures.js';
import { screen } from './screen.js';
import type { Results } from '../codec/api-simulation.js';
import { sparkline } from './pictures/simulation-spark.js';
import { resultsPicture } from './pictures/simulation.js';
import { known, pairs } from './table.js';
import { printable } from '../base/text.js';

export const resultLines = (results: Results): string[] => resultsPicture(results, screen());

const spark_columns = 24;

/** Formats one line of the ledger. */
export function entryLine({ seq, time, id, forecast, request }: LedgerEntry): string {
  const values = forecast.map(({ capability }) => capability);
  const last = forecast.at(-1);
  const curve = typeof request['curve'] === 'string' ? printable(request['curve']) : '';
  const line = sparkline(values, spark_columns, screen()).padEnd(spark_columns);
  const end = `${figure(last?.capability ?? 0, 3)}, ${last?.affected ?? 0} affected`;
  return `${String(seq).padStart(4)}  ${time.slice(0, 19)}Z  ${id}  ${curve.padEnd(11)} ${line} ${end}`;
}

const colours: Readonly<Record<RunRecord['state'], Colour>> = {
  queued: 'grey',
  running: 'blue',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'grey',
};

const asked = ({ horizon, curve, pop_size, generations, sectors, num_sectors }: SimulationRequest): string =>
  `${horizon} years ${curve}, ${sectors?.length ?? num_sectors} sectors, ${pop_size} × ${generations}`;

const outcome_columns = 18;

/** Returns the end of a run's forecast: capability, and the sectors disrupted by then; nothing for a run without results. */
const outcomeText = ({ outcome }: Pick<RunRecord, 'outcome'>): string =>
  outcome === null ? '' : `${figure(outcome.capability, 3)}, ${outcome.disrupted} of ${outcome.sectors}`;

export const runTable = (runs: readonly RunRecord[]): string[] => [
  paint.out(
    'bold',
    `${'run'.padEnd(16)}  ${'state'.padEnd(9)}  ${'requested'.padEnd(20)}  ${'outcome'.padEnd(outcome_columns)}  name and inputs`,
  ),
  ...runs.map(({ id, name, state, created_at, request, outcome }) => {
    const painted = `${paint.out(colours[state], state)}${' '.repeat(9 - state.length)}`;
    const named = name === undefined ? '' : `${printable(name)}: `;
    return `${id}  ${painted}  ${created_at.slice(0, 19)}Z  ${outcomeText({ outcome }).padEnd(outcome_columns)}  ${named}${asked(request)}`;
  }),
  ...(runs.some(({ outcome }) => outcome !== null) ? ['', 'outcome: capability in the last year, disrupted sectors'] : []),
];

/** Formats a run, with its results if it has any. */
export function runLines({ results, ...run }: RunRecord & { readonly results: Results | null }): string[] {
  if (results !== null) return resultLines(results);
  return pairs(
    known([
      ['run', run.id],
      ['name', run.name === undefined ? null : printable(run.name)],
      ['state', paint.out(colours[run.state], run.state)],
      ['asked', `${asked(run.request)}, seed ${run.request.seed}`],
      ['requested', run.created_at],
      ['started', run.started_at],
      ['ended', run.finished_at],
      ['lease until', run.lease_expires_at],
      ['error', run.error === null ? null : `${run.error.code}: ${printable(run.error.message)}`],
    ]),
  );
}

const agentColours = { running: 'green', silent: 'red', stopped: 'grey' } as const;
const agentStates = { running: 'running', silent: 'unresponsive', stopped: 'stopped' } as const;

export function agentLines({ url, running, agents }: AgentsReport): string[] {
  const rows = Object.entries(agents).map(([name, { state, last_beat, restarts }]) => {
    const beat = last_beat === null ? '-' : new Date(last_beat * 1_000).toISOString().slice(0, 19) + 'Z';
    return `${name.padEnd(9)}  ${paint.out(agentColours[state], agentStates[state].padEnd(12))}  ${beat.padEnd(20)}  ${restarts ?? '-'}`;
  });
  const head = paint.out('bold', `${'agent'.padEnd(9)}  ${'state'.padEnd(12)}  ${'heartbeat'.padEnd(20)}  restarts`);
  return [...(running ? [] : [`no simulation server responds at ${printable(url)}`]), head, ...rows];
}
