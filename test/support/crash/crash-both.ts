/** Work on one home over HTTP and by the command line at once, broken off at some moment, and what must be true afterwards. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cold, heard, said, type Operator } from './crash-cli.js';
import { entriesOf, type Sandbox } from './crash-sandbox.js';
import { accepted } from './crash-settle.js';

export const serve = ['serve', '--port', '0', '--json'] as const;

export interface Given {
  readonly sandbox: Sandbox;
  /** The mission that is queued again and again. */
  readonly file: string;
  /** Request ids of what is asked for over HTTP, and executed, and of what commands queue. */
  readonly overHttp: readonly string[];
  readonly byCommand: readonly string[];
}

/** What was acknowledged so far: the least state of each mission. */
export type Acknowledged = Map<string, 'queued' | 'review'>;

/** Waits until the daemon listens; returns its address. */
export async function listening(daemon: ChildProcess): Promise<string> {
  let text = '';
  daemon.stdout?.on('data', (part: string | Buffer) => void (text += part.toString()));
  await heard(daemon, '"serving"');
  const url = /"url": ?"([^"]+)"/.exec(text)?.[1];
  ok(url !== undefined, text);
  return url;
}

/** Works until all is done, or until the daemon or the disk is gone. Each side ends at its first failure. */
export async function workAtOnce(url: string, given: Given, acknowledged: Acknowledged): Promise<void> {
  const { sandbox, file } = given;
  const token = readFileSync(join(sandbox.home, 'api.token'), 'utf8').trim();
  const post = async (path: string, id: string, body: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': id };
    try {
      const response = await fetch(new URL(path, url), { method: 'POST', headers, body });
      // An acknowledgement counts once it was read to its end.
      await response.text();
      return response.ok;
    } catch {
      return false;
    }
  };
  const overHttp = async (): Promise<void> => {
    const mission = readFileSync(file, 'utf8');
    for (const id of given.overHttp) {
      if (!(await post('/api/missions', id, mission))) return;
      acknowledged.set(id, 'queued');
      if (!(await post(`/api/missions/${id}/execute?wait=1`, id, ''))) return;
      acknowledged.set(id, 'review');
    }
  };
  const byCommand = async (): Promise<void> => {
    for (const id of given.byCommand) {
      const { code } = said(await cold(['run', file, '--request-id', id, '--json'], sandbox.env));
      if (code !== 0) return;
      acknowledged.set(id, 'queued');
    }
  };
  await Promise.all([overHttp(), byCommand()]);
}

/** Checks that nothing acknowledged was lost and nothing was doubled, and that a retry queues what is missing and goes on with what was interrupted. */
export async function checkKept(given: Given, acknowledged: Acknowledged, head: string, operator: Operator): Promise<void> {
  const { sandbox, file, overHttp, byCommand } = given;
  const must = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    accepted(await operator.run(argv, sandbox.env), argv.join(' '));
  const verified = async (): Promise<void> => {
    const { valid, failure } = await must('verify', '--deep', '--expect-head', head);
    deepStrictEqual([valid, failure], [true, null]);
  };
  await verified();
  for (const [id, state] of acknowledged) {
    const shown = await must('show', id);
    if (state === 'review') strictEqual(shown['state'], state, id);
  }
  for (const id of [...overHttp, ...byCommand]) strictEqual((await must('run', file, '--request-id', id))['id'], id);
  // What was interrupted is recovered at once: its lease has not ended, but its process has.
  for (const id of overHttp) {
    const { state, interrupted } = await must('show', id);
    if (state === 'running') strictEqual(interrupted, true, id);
    if (state !== 'running' && state !== 'failed') continue;
    await must('recover', id);
    strictEqual((await must('execute', id))['state'], 'review');
  }
  const submitted = entriesOf(sandbox.home).filter(({ type }) => type === 'mission.submitted');
  const times = (id: string): number => submitted.filter(({ stream }) => stream === id).length;
  for (const id of [...overHttp, ...byCommand]) strictEqual(times(id), 1, id);
  await verified();
}
