/** The fault drill: every fault in turn against one daemon under load, and a table of what came of each. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEffort } from '../support/effort.js';
import type { Fault } from './fault.js';
import { clientFaults } from './faults-clients.js';
import { machineFaults } from './faults-machine.js';
import { processFaults } from './faults-process.js';
import { Field, type Print } from './field.js';
import { command } from './given-attacked.js';
import { probe } from './probe.js';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly cause: string;
  readonly effect: string;
  /** Null if the fault could not be made. */
  readonly seconds: number | null;
  readonly lost: number;
  readonly told: string;
  /** Why the drill fails because of this fault. */
  readonly wrong: readonly string[];
  /** Whether it took longer than it may on this machine; said of the time alone. */
  readonly isLate: boolean;
}

export interface Drilled {
  readonly rows: readonly Row[];
  /** The acknowledged steps of all clients. */
  readonly acknowledged: number;
}

const clients = atEffort(2, 6);
/** Between two missions of a client: a load that leaves the machine time for the fault. */
const usual_pause_ms = atEffort(300, 50);
const undisturbed_missions = atEffort(3, 5);
const undisturbed_ms = 1_000;
const undisturbed_p99_ms_usual = 25;
/** On a machine that does nothing else. */
const health_p99_ms_max = 250;
/** A machine that takes longer than this for a mission, or for requests for health, is busy with something else. */
const undisturbed_s_usual = 0.1;

export const faults: readonly Fault[] = [...processFaults, ...machineFaults, ...clientFaults];

interface Load {
  /** Between two missions of a client. */
  readonly pause_ms: number;
  /** One in so many of an attack's clients takes part. */
  readonly one_in: number;
}

/** @param chosen the faults to make, in their order */
export async function drill(
  print: Print,
  chosen: readonly Fault[] = faults,
  { pause_ms, one_in }: Load = { pause_ms: usual_pause_ms, one_in: 1 },
): Promise<Drilled> {
  const field = await Field.make(one_in);
  try {
    const slowness = await slownessOf(field);
    print(`this machine takes ${slowness.toFixed(1)} times as long as usual for a mission`);
    if (one_in > 1) print(`of the clients of floods, and of those that do not read, one in ${one_in} takes part`);
    field.load.begin(clients, pause_ms);
    const rows: Row[] = [];
    for (const fault of chosen) {
      const row = await rowOf(field, fault, slowness);
      for (const line of linesOf(row)) print(line);
      rows.push(row);
    }
    await field.load.end();
    await field.daemon.stop();
    const { valid } = await command(field.sandbox, 'verify', '--deep');
    const { lost, doubled } = field.load.check(field.sandbox.home);
    print(
      `${field.load.steps} steps acknowledged, ${lost} lost, ${doubled} doubled; verify --deep: ${valid === true ? 'valid' : 'not valid'}`,
    );
    if (valid !== true || lost + doubled > 0)
      throw new Error('acknowledged work was lost or doubled, or the journal is not valid');
    return { rows, acknowledged: field.load.steps };
  } finally {
    await field.remove();
  }
}

/** Returns how many times slower than usual this machine is at the moment: by missions, by requests for health, and by its load. */
async function slownessOf(field: Field): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < undisturbed_missions; n++) times.push((await field.normal()).seconds);
  const median = times.toSorted((a, b) => a - b)[undisturbed_missions >> 1] ?? 0;
  const probing = probe(field.daemon.target, { control: false });
  await sleep(undisturbed_ms);
  const { health } = await probing.end();
  return Math.max(
    1,
    median / undisturbed_s_usual,
    health.p99_ms / undisturbed_p99_ms_usual,
    loadavg()[0]! / availableParallelism(),
  );
}

async function rowOf(field: Field, fault: Fault, slowness: number): Promise<Row> {
  const { name, cause, seconds_max, absent, run } = fault;
  const why = absent?.(field) ?? null;
  const none = { name, cause, lost: 0, told: '', seconds: null, isLate: false };
  if (why !== null) {
    const isRequired = process.env.REQUIRE_REAL === '1';
    return { ...none, effect: `skipped: ${why}`, wrong: isRequired ? [`it could not be made: ${why}`] : [] };
  }
  const { effect, seconds, health_p99_ms = 0, told, wrong = [] } = await run(field);
  await sleep(200);
  const { lost, doubled } = field.load.check(field.sandbox.home);
  // The machine may have become busier meanwhile.
  const isBeyond = (factor: number): boolean => seconds > seconds_max * factor || health_p99_ms > health_p99_ms_max * factor;
  const isLate = isBeyond(slowness) && isBeyond(await slownessOf(field));
  return {
    name,
    cause,
    effect,
    seconds,
    lost,
    told: general(told, field),
    isLate,
    wrong: [
      ...wrong,
      ...(lost === 0 ? [] : [`${lost} acknowledged steps are lost`]),
      ...(doubled === 0 ? [] : [`${doubled} entries are doubled`]),
      ...(told === '' ? ['nobody was told'] : []),
    ],
  };
}

/** Returns the text without the directory of this home and the ids of its missions. */
const general = (text: string, { sandbox }: Field): string =>
  text.replaceAll(sandbox.home, 'HOME').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');

function linesOf({ name, cause, effect, seconds, lost, told, wrong, isLate }: Row): string[] {
  const time = seconds === null ? '' : `; normal service after ${seconds.toFixed(1)} s${isLate ? ' (LATE)' : ''}, ${lost} lost`;
  return [
    `${name} (${cause}): ${effect}${time}`,
    ...(told === '' ? [] : [`   ${told}`]),
    ...wrong.map((what) => `   WRONG: ${what}`),
  ];
}

/** Returns the table in Markdown. */
export function tableOf(rows: readonly Row[]): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    '| Cause | Effect | Seconds until normal service | Acknowledged work lost | What the user is told |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ cause, effect, seconds, lost, told }) =>
        `| ${[cause, effect, seconds?.toFixed(1) ?? '', String(lost), told].map(cell).join(' | ')} |`,
    ),
  ];
}
