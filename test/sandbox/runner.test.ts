/** The runners, without a container: what a candidate changes of the language's own functions counts for itself only. */
import { deepStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { type Language, outputsOf, runnerCommand, runnerInput } from '../../src/sandbox/programs.js';
import { hang_ms } from '../support/wait.js';

const programs = { javascript: process.execPath, python: 'python3' };

/** Returns what a candidate gives for each list of arguments. */
function outputs(language: Language, code: string, ...args: readonly string[]): unknown {
  const [, ...options] = runnerCommand(language);
  const input = runnerInput(language, { code, args });
  const { stdout } = spawnSync(programs[language], options, { input, timeout: hang_ms });
  return outputsOf(stdout, args.length).map((output) => (output === null ? null : [output.outcome, output.text]));
}

const expected = [
  ['returned', '{"a":[1,"x"]}'],
  ['returned', '{"a":[2,null]}'],
];
const args = ['[1, "x"]', '[2, null]'] as const;

describe('the runners of candidates', () => {
  it('read and write JSON with their own functions in JavaScript', () => {
    const code = `
      const kept = { JSON, Array, Object, Number, Buffer, Reflect };
      JSON.parse = () => [0]; JSON.stringify = () => '0'; Array.isArray = () => false; Array.from = () => []; Number.isFinite = () => false;
      Object.keys = () => []; Object.getPrototypeOf = () => 0; Buffer.from = () => { throw 0; }; Buffer.alloc = Buffer.from; Reflect.apply = () => 0;
      for (const name of Object.getOwnPropertyNames(kept)) globalThis[name] = undefined;
      require('node:fs').writeSync = () => 0;
      const solve = (number, text) => ({ a: [number, text] });`;
    deepStrictEqual(outputs('javascript', code, ...args), expected);
  });

  it('read and write JSON with their own functions in Python', () => {
    const code = `
import json, os
json.loads = lambda text: [0]
json.dumps = lambda *values, **options: '0'
os.write = lambda *values: 0
def solve(number, text):
    return {'a': [number, text]}
`;
    deepStrictEqual(outputs('python', code, ...args), expected);
  });
});
