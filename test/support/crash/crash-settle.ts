/**
 * What must be true after a kill anywhere in a command. Each function looks at what was left, says so in words, repairs it the
 * way an operator would, and fails when anything acknowledged is lost or doubled.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan } from '../cli/cli-run.js';
import type { Said } from './crash-cli.js';
import { entriesOf, filesIn, headOf, locksIn, modeOf, namesIn, temporariesIn, type Sandbox } from './crash-sandbox.js';
import { membersOf } from '../lists.js';

export interface Outcome {
  readonly left: string;
  readonly repaired: string;
}

export interface Afterwards {
  readonly sandbox: Sandbox;
  /** The head that was acknowledged before the killed command, or null before there was a home. */
  readonly head: string | null;
  readonly cli: (argv: readonly string[], offset_ms?: number) => Promise<Said>;
}

export const mission = '3f0e6f4e-1f8a-4c55-9a51-2f9c0f6d1a11';
const whole_home = ['api.token', 'ballast', 'config.json', 'identity.key', 'journal.sqlite3', 'lock.sqlite3'];

export const accepted = (answer: Said, what: string): Record<string, unknown> => {
  strictEqual(answer.code, 0, `${what}: ${answer.stderr}`);
  ok(answer.value !== null, `${what} said nothing`);
  return answer.value;
};

export const refused = (answer: Said, code: number, refusal: string, what: string): void => {
  deepStrictEqual([answer.code, answer.refusal], [code, refusal], `${what}: ${answer.stderr}`);
};

/** The first look after the kill: a sound journal that still holds what was acknowledged. */
export async function verifyKept({ cli, head }: Afterwards): Promise<void> {
  const report = accepted(await cli(head === null ? ['verify'] : ['verify', '--expect-head', head]), 'verify');
  deepStrictEqual([report.valid, report.failure], [true, null]);
}

/** The last look: entries, signatures, tables; private modes; nothing left over; entries of these types, once each. */
export async function verifySettled({ cli, head, sandbox }: Afterwards, types: readonly string[]): Promise<void> {
  // `verify` leaves what a killed process left to the next other command, which removes it.
  accepted(await cli(['list']), 'list');
  const since = head === null ? 0 : Number(head.split(':')[0]);
  const rows = entriesOf(sandbox.home);
  deepStrictEqual(membersOf(rows.slice(since), 'type'), types);
  const report = accepted(await cli(['verify', '--deep', '--expect-head', headOf(sandbox.home)]), 'verify --deep');
  deepStrictEqual([report.valid, report.events], [true, rows.length]);
  if (head !== null) await verifyKept({ cli, head, sandbox });
  deepStrictEqual([filesIn(sandbox.home), locksIn(sandbox.home)], [whole_home, []]);
  for (const name of whole_home) strictEqual(modeOf(join(sandbox.home, name)), '600', name);
  strictEqual(modeOf(sandbox.home), '700');
  const witnesses = namesIn(sandbox.witness).filter((name) => !name.endsWith('.verified'));
  ok(witnesses.length === 1 && /^[0-9a-f]{64}$/.test(witnesses[0] ?? ''), `in the witness directory: ${witnesses.join()}`);
}

const stateOf = async (cli: Afterwards['cli']): Promise<unknown> => accepted(await cli(['show', mission]), 'show').state;

export async function settleInit({ sandbox, cli, head }: Afterwards): Promise<Outcome> {
  const names = namesIn(sandbox.home);
  const key = names.includes('identity.key') ? 'with its key' : 'without a key';
  const settled = (): Promise<void> => verifySettled({ sandbox, cli, head }, ['control.initialised']);
  if (names.includes('config.json')) {
    await verifyKept({ sandbox, cli, head });
    refused(await cli(['init']), 2, 'exists', 'a second init');
    await settled();
    return { left: 'a whole home', repaired: 'nothing to repair' };
  }
  refused(await cli(['list']), 2, 'not_found', 'list in a home that is not whole');
  accepted(await cli(['init']), 'a second init');
  await settled();
  if (!existsSync(sandbox.home) || names.length === 0) {
    return { left: 'no home, or an empty directory', repaired: 'the next init makes it' };
  }
  return { left: `a part of a home ${key}, no config.json`, repaired: 'the next init continues' };
}

export async function settleRun(after: Afterwards): Promise<Outcome> {
  await verifyKept(after);
  const shown = await after.cli(['show', mission]);
  const isQueued = shown.code === 0;
  if (!isQueued) refused(shown, 2, 'not_found', 'show');
  const file = join(after.sandbox.root, 'mission.json');
  for (const what of ['the retry', 'a second retry']) {
    const record = accepted(await after.cli(['run', file, '--request-id', mission]), what);
    deepStrictEqual([record.id, record.state, record.attempt], [mission, 'queued', 1]);
  }
  await verifySettled(after, ['mission.submitted']);
  return isQueued
    ? { left: 'the mission, queued', repaired: 'a retry with the same request id returns it' }
    : { left: 'no mission', repaired: 'a retry with the same request id queues it' };
}

const staged = Array.from({ length: 7 }, () => 'mission.staged');
const executed = ['mission.leased', ...staged, 'mission.produced'];

export async function settleExecute(after: Afterwards): Promise<Outcome> {
  const { cli, sandbox } = after;
  await verifyKept(after);
  const state = await stateOf(cli);
  if (state === 'review') {
    refused(await cli(['execute', mission]), 4, 'wrong_state', 'a retry of execute');
    await verifySettled(after, executed);
    return { left: 'the result, in review', repaired: 'nothing to repair' };
  }
  if (state === 'queued') {
    strictEqual(accepted(await cli(['execute', mission]), 'a retry of execute').state, 'review');
    await verifySettled(after, executed);
    return { left: 'the mission, queued as before', repaired: 'execute again' };
  }
  strictEqual(state, 'running');
  const since = entriesOf(sandbox.home)
    .slice(Number(after.head?.split(':')[0]))
    .map(({ type }) => type);
  deepStrictEqual(since, executed.slice(0, since.length));
  strictEqual(accepted(await cli(['show', mission]), 'show').interrupted, true);
  const recovered = accepted(await cli(['recover', mission]), 'recover');
  deepStrictEqual([recovered.state, recovered.attempt], ['queued', 2]);
  strictEqual(accepted(await cli(['execute', mission]), 'execute after recover').state, 'review');
  await verifySettled(after, [...since, 'mission.failed', 'mission.recovered', ...executed]);
  return {
    left: 'the mission, interrupted',
    repaired: 'recover, then execute',
  };
}

/** What an operator looked at before a decision. */
export interface Looked {
  readonly revision: number;
  readonly result_hash: string;
}

export const reviewOf = ({ revision, result_hash }: Looked, id = mission): string[] => [
  'review',
  id,
  `--revision=${revision}`,
  `--result-hash=${result_hash}`,
  '--approve',
  '--note=as planned',
];

export async function settleReview(after: Afterwards, looked: Looked): Promise<Outcome> {
  await verifyKept(after);
  const state = await stateOf(after.cli);
  const retry = await after.cli(reviewOf(looked));
  if (state === 'completed') refused(retry, 4, 'stale_revision', 'a retry of review');
  else strictEqual(accepted(retry, 'a retry of review').state, 'completed');
  const record = accepted(await after.cli(['show', mission]), 'show');
  strictEqual((record.review as { approved: boolean }).approved, true);
  await verifySettled(after, ['mission.completed']);
  return state === 'completed'
    ? { left: 'the decision, recorded', repaired: 'a retry says stale_revision; show has the decision' }
    : { left: 'the result, in review as before', repaired: 'review again' };
}

const limitOf = async (cli: Afterwards['cli']): Promise<unknown> =>
  accepted(await cli(['config', 'show']), 'config show').max_evaluations;

/** Every command that opens a home, but verify, doctor, configure --restore-signed, and what stops work. */
const closedCommands = (file: string): readonly (readonly string[])[] => [
  ...['list', 'resume', 'checkpoint', 'serve', 'rebuild'].map((name) => [name]),
  ['config', 'show'],
  ...['show', 'execute', 'recover'].map((name) => [name, mission]),
  ['run', `${file}.mission.json`],
  ['configure', file],
  reviewOf({ revision: 1, result_hash: '0'.repeat(64) }),
  ['export', mission, '--output', `${file}.export`],
  ['erase', mission, '--reason', 'asked'],
  ['recover-home', '--accept-rollback', '--reason', 'lost'],
];

export async function settleConfigure(after: Afterwards): Promise<Outcome> {
  const { cli, sandbox } = after;
  const file = join(sandbox.root, 'config.json');
  const first = await cli(['verify', '--expect-head', after.head ?? '']);
  if (first.code === 0) {
    const limit = await limitOf(cli);
    ok(limit === 10_000 || limit === 777, `the limit in force is ${String(limit)}`);
    if (limit === 777) await verifySettled(after, ['control.configured']);
    accepted(await cli(['configure', file]), 'a retry of configure');
    strictEqual(await limitOf(cli), 777);
    await verifySettled(after, limit === 777 ? ['control.configured', 'control.configured'] : ['control.configured']);
    return limit === 777
      ? { left: 'the new configuration, in force', repaired: 'nothing to repair' }
      : { left: 'the old configuration, in force', repaired: 'configure again' };
  }
  strictEqual(first.code, 3);
  strictEqual((first.value as { failure: { code: string } } | null)?.failure.code, 'integrity');
  writeFileSync(`${file}.mission.json`, JSON.stringify(plan));
  for (const argv of closedCommands(file)) refused(await cli(argv), 3, 'integrity', argv.join(' '));
  strictEqual((await cli(['doctor'])).code, 3);
  accepted(await cli(['configure', '--restore-signed']), 'configure --restore-signed');
  strictEqual(await limitOf(cli), 777);
  await verifySettled(after, ['control.configured']);
  return { left: 'the entry, and the old file: every command fails closed', repaired: 'configure --restore-signed' };
}

export const exportOf = ({ outputs }: Sandbox): string => join(outputs, 'result.json');

export async function settleExport(after: Afterwards): Promise<Outcome> {
  const { cli, sandbox } = after;
  const file = exportOf(sandbox);
  const isThere = existsSync(file);
  const temporaries = temporariesIn(sandbox.outputs);
  ok(temporaries.length <= 1);
  await verifyKept(after);
  const key =
    String(accepted(await cli(['doctor']), 'doctor').identity)
      .split(':')
      .at(-1) ?? '';
  const verifyExport = async (): Promise<void> => {
    const verdict = accepted(await cli(['verify-export', file, '--public-key', key]), 'verify-export');
    strictEqual(verdict.valid, true);
  };
  if (isThere) await verifyExport();
  const retry = await cli(['export', mission, '--output', file]);
  if (isThere) refused(retry, 2, 'exists', 'a retry of export');
  else accepted(retry, 'a retry of export');
  await verifyExport();
  await verifySettled(after, []);
  deepStrictEqual(namesIn(sandbox.outputs), ['result.json', ...temporaries]);
  const rest = temporaries.length === 0 ? '' : ', a temporary file beside it';
  return {
    left: `${isThere ? 'the whole file' : 'no file'}${rest}`,
    repaired: `${isThere ? 'a retry says exists; the file verifies' : 'export again'}${rest === '' ? '' : '; the temporary file is yours to delete'}`,
  };
}
