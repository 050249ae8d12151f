/**
 * The time of a start: `--version`, and `list` in a small home, each as a ratio to a bare @oclif/core program with a manifest
 * that is started right before it. Goals: under 1.5 and under 2.5.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleFile } from '../test/support/example-file.js';

export const name = 'startup';

const pairs = 15;
const missions = 5;
const root = packageRoot();

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Writes a program with one command that prints a word, with everything that oclif needs for a quick start. */
function writeBare(folder: string): string {
  const command = { aliases: [], args: {}, flags: {}, hiddenAliases: [], id: 'hello', strict: true };
  const cached = { ...command, pluginAlias: 'bare', pluginName: 'bare', pluginType: 'core', isESM: true };
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({
      name: 'bare',
      version: '1.0.0',
      type: 'module',
      oclif: { bin: 'bare', commands: './commands' },
    }),
    'oclif.manifest.json': JSON.stringify({
      commands: { hello: { ...cached, relativePath: ['commands', 'hello.js'] } },
      version: '1.0.0',
    }),
    'bare.js': "import { execute } from '@oclif/core';\nawait execute({ dir: import.meta.url });\n",
    'commands/hello.js':
      "import { Command } from '@oclif/core';\nexport default class Hello extends Command {\n  async run() { this.log('hello'); }\n}\n",
  };
  mkdirSync(join(folder, 'commands'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return join(folder, 'bare.js');
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Returns the milliseconds until the process has ended. @throws Error when it fails, because a failure would be quick */
function start_ms(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return performance.now() - began;
}

export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-startup-'));
  const env = { ...process.env, AGENT_HOME: join(folder, 'home'), AGENT_WITNESS: join(folder, 'witness') };
  const program = join(root, 'bin', 'agent-cli.js');
  try {
    const bare = writeBare(join(folder, 'bare'));
    start_ms([program, 'init'], env);
    for (let i = 0; i < missions; i++) start_ms([program, 'run', exampleFile('allocation')], env);
    print(`bare hello: ${middle(Array.from({ length: pairs }, () => start_ms([bare, 'hello'], env))).toFixed(0)} ms`);
    for (const [args, goal] of [
      [['--version'], 1.5],
      [['list'], 2.5],
    ] as const) {
      const ratios = Array.from({ length: pairs }, () => {
        const alone = start_ms([bare, args[0] === 'list' ? 'hello' : args[0]], env);
        return start_ms([program, ...args], env) / alone;
      });
      const ratio = middle(ratios);
      print(`${args[0]}: ${ratio.toFixed(2)} times (goal < ${goal}) ${ratio < goal ? 'reached' : 'MISSED'}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await Promise.resolve();
}
