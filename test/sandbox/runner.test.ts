/** The runners, without a container: what a candidate changes of the language's own functions counts for itself only. */
import { deepStrictEqual, match } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { casesCommand, casesInput, type Language, outputsOf, runners } from '../../src/sandbox/programs.js';
import { hang_ms } from '../support/wait.js';

/** This machine's programs in place of the image's. */
const command = (language: Language): readonly string[] =>
  language === 'javascript' ? [process.execPath, ...runners[language].command.slice(1)] : runners[language].command;

/** Returns what a candidate gives for each list of arguments. */
function outputs(language: Language, code: string, ...args: readonly string[]): unknown {
  const [program, ...options] = casesCommand;
  const input = casesInput(language, { code, args, cpu_s: 5, mem_mb: 256 }, command(language));
  const { stdout } = spawnSync(program, options, { input, timeout: hang_ms });
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

  it('start from a fresh process in each case', () => {
    const counts = {
      python: 'kept = []\ndef solve(a):\n    kept.append(a)\n    return len(kept)',
      javascript: 'const kept = []; const solve = (a) => kept.push(a);',
    };
    for (const [language, code] of Object.entries(counts))
      deepStrictEqual(outputs(language as Language, code, '[7]', '[8]'), [
        ['returned', '1'],
        ['returned', '1'],
      ]);
  });

  it('return a value of hundreds of kilobytes whole', () => {
    const codes = {
      python: 'def solve(n): return "x" * n',
      javascript: 'const solve = (n) => (console.log("said"), "x".repeat(n));',
    };
    const sizes = ['[150000]', '[150000]', '[500000]'];
    for (const [language, code] of Object.entries(codes))
      deepStrictEqual(
        (outputs(language as Language, code, ...sizes) as string[][]).map(([outcome, text]) => [outcome, text?.length]),
        [150_002, 150_002, 500_002].map((length) => ['returned', length]),
      );
  });

  it('say why a candidate returned no value, and why a case has no output', () => {
    for (const [language, code, said] of [
      ['python', 'def solve(:', /^SyntaxError: .*line 1\)$/],
      ['javascript', '\n\nconst solve = (;', /^SyntaxError: .*line 3\)$/],
      ['python', 'LIMIT = {}["limit"]\ndef solve(n): return n', /^KeyError: 'limit'$/],
      ['python', 'def other(n): return n', /^it defines no solve/],
      ['python', 'def solve(n): return {n}', /^a value of type set$/],
      ['javascript', 'const solve = () => NaN;', /^NaN$/],
    ] as const)
      match(String((outputs(language, code, '[1]') as string[][])[0]?.[1]), said);
    deepStrictEqual(outputs('python', 'import os\ndef solve(n):\n    return os._exit(0) if n == 1 else n', '[1]', '[2]'), [
      ['missing', 'it ended its process before it returned'],
      ['returned', '2'],
    ]);
    deepStrictEqual(
      outputs('javascript', 'const solve = (n) => (n === 1 ? process.kill(process.pid, "SIGKILL") : n);', '[1]', '[2]'),
      [
        ['missing', 'killed, as when it takes more than 256 MiB of memory'],
        ['returned', '2'],
      ],
    );
  });
});
