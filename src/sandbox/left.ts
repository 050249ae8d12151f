/** Removes containers whose process was killed: the engine's client went with it, and nothing else ends a container of docker. */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parseJson } from '../base/json.js';
import { isRefused, RefusalError } from '../base/refusal.js';
import { type Engine, removeArguments } from './arguments.js';
import { askEngine, type CallResult, isDone } from './client.js';
import { isLeftBehind, labelled } from './container.js';
import { firstLine } from './self-test.js';

const containerLabels = t.record(t.string, t.string);

/**
 * Removes the containers that ended processes of a home, or of none, have left. Returns how many they were.
 * @throws RefusalError `engine_unavailable` when the engine cannot list or remove them
 */
export async function removeLeftContainers(engine: Engine, env: Readonly<Record<string, string>>, home: string): Promise<number> {
  const ask = (...args: readonly string[]): Promise<CallResult> => askEngine(engine, env, args);
  const listed = await ask('ps', '--all', '--quiet', '--no-trunc', '--filter', labelled);
  if (!isDone(listed)) throw failed(engine, 'list its containers', listed);
  let count = 0;
  for (const id of listed.stdout.toString('latin1').split('\n')) {
    if (!/^[0-9a-f]{64}$/.test(id)) continue;
    const inspect = (): Promise<CallResult> => ask('inspect', '--format', '{{json .Config.Labels}}', id);
    const inspected = await inspect();
    // One that another process has removed meanwhile is gone.
    if (!isDone(inspected) || !isLeftBehind(labelsIn(inspected.stdout), home)) continue;
    const removed = await ask(...removeArguments(engine, id));
    if (!isDone(removed) && isDone(await inspect())) throw failed(engine, `remove container ${id.slice(0, 12)}`, removed);
    count++;
  }
  return count;
}

function labelsIn(bytes: Buffer): Readonly<Record<string, string>> {
  const parsed = parseJson(bytes.toString('utf8').trim());
  const labels = isRefused(parsed) ? null : containerLabels.decode(parsed.right);
  return labels !== null && E.isRight(labels) ? labels.right : {};
}

function failed({ name }: Engine, what: string, { unstarted, stderr }: CallResult): RefusalError {
  const reason = unstarted ?? firstLine(stderr) ?? 'it did not respond';
  return new RefusalError('engine_unavailable', `${name} could not ${what}: ${reason}`, { hint: 'agent-cli doctor' });
}
