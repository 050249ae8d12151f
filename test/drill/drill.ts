/** The fault drill: every fault in turn against one daemon under load, and a table of what came of each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atEffort } from '../support/effort.js';
import type { Fault } from './fault.js';
import { clientFaults } from './faults-clients.js';
import { machineFaults } from './faults-machine.js';
import { processFaults } from './faults-process.js';
import { Field, type Print } from './field.js';
import { command } from './given-attacked.js';

/** One line of the table. */
export interface Row {
  readonly finding: number;
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
const undisturbed_missions = 5;
/** A machine that takes longer than this for a mission, with the load alone, is busy with something else. */
const undisturbed_s_usual = 0.2;

const all = [...processFaults, ...machineFaults, ...clientFaults].toSorted((a, b) => a.finding - b.finding);

/** @param wanted the numbers of the findings to drill; all if there are none */
export async function drill(print: Print, wanted: readonly number[] = []): Promise<Drilled> {
  const field = await Field.make();
  try {
    field.load.begin(clients);
    const slowness = await slownessOf(field, print);
    const rows: Row[] = [];
    for (const fault of all.filter(({ finding }) => wanted.length === 0 || wanted.includes(finding))) {
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

/** Returns how many times slower than usual this machine is at the moment. */
async function slownessOf(field: Field, print: Print): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < undisturbed_missions; n++) times.push((await field.normal()).seconds);
  const median = times.toSorted((a, b) => a - b)[undisturbed_missions >> 1] ?? 0;
  print(`a mission from submission to review, with the load alone: ${median.toFixed(2)} s`);
  return Math.max(1, median / undisturbed_s_usual);
}

async function rowOf(field: Field, fault: Fault, slowness: number): Promise<Row> {
  const { finding, cause, seconds_max, absent, run } = fault;
  const why = absent?.(field) ?? null;
  const none = { finding, cause, lost: 0, told: '', seconds: null, isLate: false };
  if (why !== null) {
    const isRequired = process.env.REQUIRE_REAL === '1';
    return { ...none, effect: `skipped: ${why}`, wrong: isRequired ? [`it could not be made: ${why}`] : [] };
  }
  const { effect, seconds, told, wrong = [] } = await run(field);
  await sleep(200);
  const { lost, doubled } = field.load.check(field.sandbox.home);
  return {
    finding,
    cause,
    effect,
    seconds,
    lost,
    told,
    isLate: seconds > seconds_max * slowness,
    wrong: [
      ...wrong,
      ...(lost === 0 ? [] : [`${lost} acknowledged steps are lost`]),
      ...(doubled === 0 ? [] : [`${doubled} entries are doubled`]),
      ...(told === '' ? ['nobody was told'] : []),
    ],
  };
}

function linesOf({ finding, cause, effect, seconds, lost, told, wrong, isLate }: Row): string[] {
  const time = seconds === null ? '' : `; normal service after ${seconds.toFixed(1)} s${isLate ? ' (LATE)' : ''}, ${lost} lost`;
  return [
    `${finding}. ${cause}: ${effect}${time}`,
    ...(told === '' ? [] : [`   ${told}`]),
    ...wrong.map((what) => `   WRONG: ${what}`),
  ];
}

/** Returns the table in Markdown. */
export function tableOf(rows: readonly Row[]): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    '| | Cause | Effect | Seconds until normal service | Acknowledged work lost | What the user is told |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ finding, cause, effect, seconds, lost, told }) =>
        `| ${[String(finding), cause, effect, seconds?.toFixed(1) ?? '', String(lost), told].map(cell).join(' | ')} |`,
    ),
  ];
}
