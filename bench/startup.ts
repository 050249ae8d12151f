/**
 * The time of a start: `--version`, and `list` in a small home, each as a ratio to a bare @oclif/core program with a manifest
 * that is started right before it. Goals: under 1.5 and under 2.5. Then the processor time of `list`.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFile } from '../test/support/kinds/example-file.js';
import { median } from './measure.js';
import { root, start_cpu_ms, start_ms } from './start.js';

export const name = 'startup';

const pairs = 15;
const missions = 5;
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

export async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-startup-'));
  const env = { ...process.env, AGENT_HOME: join(folder, 'home'), AGENT_WITNESS: join(folder, 'witness') };
  const program = join(root, 'bin', 'agent-cli.js');
  try {
    const bare = writeBare(join(folder, 'bare'));
    start_ms([program, 'init'], env);
    for (let i = 0; i < missions; i++) start_ms([program, 'run', exampleFile('allocation')], env);
    print(`bare hello: ${median(Array.from({ length: pairs }, () => start_ms([bare, 'hello'], env))).toFixed(0)} ms`);
    for (const [args, goal] of [
      [['--version'], 1.5],
      [['list'], 2.5],
    ] as const) {
      const ratios = Array.from({ length: pairs }, () => {
        const alone = start_ms([bare, args[0] === 'list' ? 'hello' : args[0]], env);
        return start_ms([program, ...args], env) / alone;
      });
      const ratio = median(ratios);
      print(`${args[0]}: ${ratio.toFixed(2)} times (goal < ${goal}) ${ratio < goal ? 'reached' : 'MISSED'}`);
    }
    const times = Array.from({ length: pairs }, () => start_cpu_ms([program, 'list'], env) / start_cpu_ms(['--eval', '0'], env));
    print(`list: ${median(times).toFixed(2)} times the processor time of an empty Node process`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await Promise.resolve();
}
