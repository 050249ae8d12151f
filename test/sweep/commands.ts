/** Runs commands of the built command line in this process, which takes a tenth of the time of a process for each. */
import { Config, type Command } from '@oclif/core';
import { setClock } from '../../src/cli/clock.js';
import { ownProgram } from '../../src/cli/own-program.js';
import type { Ran } from '../support/cli-run.js';

export type RunCommand = (argv: readonly string[]) => Promise<Ran>;

/** Returns a function that runs a command with `--json` at a fixed time. Homes are named by the environment, as for a process. */
export async function commandsAt(now: number): Promise<RunCommand> {
  setClock(() => now);
  const config = await Config.load(ownProgram());
  return (argv) => runIn(config, argv);
}

async function runIn(config: Config, argv: readonly string[]): Promise<Ran> {
  const command = find(config, argv);
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const restore = (['stdout', 'stderr'] as const).map((name) => capture(name, written[name]));
  process.exitCode = undefined;
  try {
    const loaded = await command.load();
    await loaded.run([...argv.slice(command.id.split(':').length), '--json'], config);
    return { code: exitCode(), stdout: written.stdout.join(''), stderr: written.stderr.join('') };
  } finally {
    for (const back of restore) back();
    process.exitCode = undefined;
  }
}

/** Finds `token list` and `list` alike. */
function find(config: Config, argv: readonly string[]): Command.Loadable {
  const command = config.findCommand(argv.slice(0, 2).join(':')) ?? config.findCommand(argv[0] ?? '');
  if (command === undefined) throw new Error(`there is no command ${argv.join(' ')}`);
  return command;
}

/** A command sets it, which the compiler does not see. */
function exitCode(): number {
  return Number(process.exitCode ?? 0);
}

function capture(name: 'stdout' | 'stderr', into: string[]): () => void {
  const stream = process[name];
  const { write } = stream;
  stream.write = (part: string | Uint8Array, ...rest: readonly unknown[]) => {
    into.push(typeof part === 'string' ? part : Buffer.from(part).toString());
    const done = rest.at(-1);
    if (typeof done === 'function') (done as () => void)();
    return true;
  };
  return () => void (stream.write = write);
}
