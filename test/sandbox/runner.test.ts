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
      deepStrictEqual(String(outputs(language as Language, code, '[7]', '[8]')), 'returned,1,returned,1');
  });

  it('give a candidate in Python a module, in which dataclasses and type hints find its classes', () => {
    const node = '@dataclasses.dataclass\nclass Node:\n    next: Node';
    const code = `from __future__ import annotations\nimport dataclasses, typing\n${node}\ndef solve(n): return len(typing.get_type_hints(Node))`;
    deepStrictEqual(outputs('python', code, '[7]'), [['returned', '1']]);
  });

  it('return a value of hundreds of kilobytes whole', () => {
    const code = 'const solve = (n) => (console.log("said"), "x".repeat(n));';
    const texts = String(outputs('javascript', code, '[150000]', '[150000]', '[500000]')).split('returned,');
    deepStrictEqual(String(texts.map(({ length }) => length)), '0,150003,150003,500002');
  });

  it('write at once what a candidate prints, so that all of it counts', () => {
    const code = 'const solve = (n) => (console.error("said".repeat(n)), n);';
    deepStrictEqual(outputs('javascript', code, '[9]', `[${2 ** 18}]`, '[9]'), [['returned', '9'], null, null]);
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
    const ends = 'import os\ndef solve(n): return os._exit(0) if n == 1 else n';
    const kills = 'const solve = (n) => n === 1 ? process.kill(process.pid, 9) : n;';
    const bytes = "import os\ndef solve(n): return os.write(3, b'\\0\\0\\0\\x0areturned\\n\\xff') if n == 1 else n";
    const no = [ends, kills, bytes].map((code) => String(outputs(code === kills ? 'javascript' : 'python', code, '[1]', '[2]')));
    match(no[0] ?? '', /^missing,it ended its process before it returned,returned,2$/);
    match(no[1] ?? '', /^missing,killed, as when .* 256 MiB .*,returned,2$/);
    match(no[2] ?? '', /^missing,it wrote to the channel of the answers,returned,2$/);
  });
});
