/** The programs that run inside the sandbox. Each enters by standard input: first the program, then its job, each after its length in a line. */
import { readFileSync } from 'node:fs';
import { shippedFile } from './arguments.js';

export type Language = 'python' | 'javascript';

const pythonBootstrap = "import sys;r=sys.stdin.buffer;exec(compile(r.read(int(r.readline())),'runner.py','exec'))";
const nodeBootstrap =
  "const all=require('node:fs').readFileSync(0);let at=0;" +
  "const take=()=>{const e=all.indexOf(10,at),n=Number(all.toString('latin1',at,e));at=e+1+n;return all.toString('utf8',e+1,at)};" +
  "const program=take(),job=JSON.parse(take());new Function('require','job',program)(require,job)";

const pythonCommand = ['/usr/bin/python3', '-I', '-S', '-X', 'utf8', '-c', pythonBootstrap] as const;

const runners = {
  python: { file: 'runner.py', command: pythonCommand },
  javascript: { file: 'runner.cjs', command: ['/usr/bin/node', '-e', nodeBootstrap] },
} as const;

export const runnerCommand = (language: Language): readonly string[] => runners[language].command;
export const selfTestCommand = (mem_mb: number, processes: number): readonly string[] => [
  ...pythonCommand,
  `${mem_mb}`,
  `${processes}`,
];

export const runnerInput = (language: Language, job: unknown): Buffer => input(runners[language].file, job);
export const selfTestInput = (): Buffer => input('self-test.py', {});

function input(file: string, job: unknown): Buffer {
  const parts = [readFileSync(shippedFile(file)), Buffer.from(JSON.stringify(job))];
  return Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}\n`), part]));
}
