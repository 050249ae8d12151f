/**
 * How long a thread's first mission of a kind takes, to its later ones: in a fresh process, as it is, and after what an idle thread
 * does ahead of it. The example mission of each kind, executed and verified.
 */
import { execFileSync } from 'node:child_process';
import { isRefused, unwrap } from '../src/base/result.js';
import { kinds, type Kind } from '../src/codec/kinds.js';
import { decode } from '../src/codec/kit.js';
import { engineInput } from '../src/kinds/engine-input.js';
import { missionRequest } from '../src/kinds/request.js';
import { rehearse } from '../src/kinds/rehearsal.js';
import { missionKind } from '../src/kinds/table.js';
import { solverOf } from '../src/kinds/verifiers.js';
import { median } from './measure.js';

export const name = 'first-calls';

const processes = 7;
const later_calls = 9;
/** Small, so that compiling is not lost in searching. */
const max_evaluations = 10;

export async function run(print: (line: string) => void): Promise<void> {
  const script = new URL(import.meta.url).href;
  for (const kind of kinds) {
    if (solverOf(kind) === null) continue;
    for (const isPrepared of [false, true]) {
      const calls = Array.from({ length: processes }, () => {
        const measure = `(await import(${JSON.stringify(script)})).printCalls(${JSON.stringify(kind)}, ${isPrepared})`;
        const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', measure], { encoding: 'utf8' });
        return JSON.parse(printed) as readonly number[];
      });
      const [first, later] = [calls.map(([ms = 0]) => ms), calls.map(([, ...rest]) => median(rest))].map(median);
      print(`${kind}, ${isPrepared ? 'prepared' : 'as it is'}: first ${first?.toFixed(1)} ms, later ${later?.toFixed(1)} ms`);
    }
    await Promise.resolve();
  }
}

/** Prints the times of a process's first mission and of later ones, in ms. */
export async function printCalls(kind: Kind, isPrepared: boolean): Promise<void> {
  const solver = solverOf(kind);
  if (solver === null) throw new TypeError(`${kind} has no engine`);
  const [engine, verify] = [await solver.engine.load(), await solver.verifier()];
  const input = engineInput(unwrap(decode(missionRequest, { ...missionKind(kind).example, seed: 1 })), { max_evaluations }, null);
  if (isPrepared && solver.rehearsal !== undefined) for (const _ of rehearse(engine, verify, solver.rehearsal()));
  const times = Array.from({ length: 1 + later_calls }, () => {
    const began = performance.now();
    const answer = engine.run(input, () => undefined);
    if (isRefused(answer)) throw new Error(answer.left.detail);
    verify(input, answer.right.result);
    return performance.now() - began;
  });
  console.log(JSON.stringify(times));
}
