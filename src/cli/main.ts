/** The entry point of the command line: moves a leading `--home` behind the command, then calls oclif. */
import { Config, Errors, flush, type Interfaces, run } from '@oclif/core';
import { RecordedFault, RefusalError } from '../base/refusal.js';
import { arrange } from './arrange.js';
import { bindingRefusal } from './failure.js';
import { leaveTerminal, surviveStandardError } from './hangup.js';
import { unknownCommand } from './usage.js';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Handles errors before a command exists (an unknown name) and oclif's own exits (`--help`). */
async function handle(error: unknown, argv: readonly string[]): Promise<void> {
  if (error instanceof Errors.ExitError) {
    process.exitCode ??= error.oclif.exit ?? 0;
    return;
  }
  const failure = (await unknown(error)) ?? (error instanceof Error ? error : new Error(String(error)));
  const { reportFailure } = await import('./failure.js');
  reportFailure(failure, { json: argv.includes('--json'), bin: 'agent-cli', help: 'agent-cli --help' });
}

/** Returns the refusal of a word that is not a command; null for another error. */
async function unknown(error: unknown): Promise<RefusalError | null> {
  const word = error instanceof Errors.CLIError ? /^command (.+) not found$/s.exec(error.message)?.[1] : undefined;
  if (word === undefined) return null;
  const { commandIDs } = await Config.load(ownProgram());
  return new RefusalError(unknownCommand(word.split(':'), commandIDs));
}

export async function main(argv: readonly string[]): Promise<void> {
  // oclif's own listener throws every error except EPIPE.
  process.stdout
    .removeAllListeners('error')
    .on('error', (error: NodeJS.ErrnoException) => void standardOutputFailed(error, argv));
  process.stderr.on('error', surviveStandardError);
  process.on('unhandledRejection', rethrowUnlessBinding);
  try {
    await run(arrange(argv), ownProgram());
    await flush();
  } catch (error) {
    await handle(error, argv);
  }
}

/** Modules that are loaded side by side all fail for want of the same native code; the first failure is reported. */
function rethrowUnlessBinding(error: unknown): void {
  if (bindingRefusal(error) === null) throw error;
}

/**
 * A reader that is gone (`agent-cli list | head`) is not an error, nor is a closed terminal: SIGHUP ends the process then. Any
 * other failure, as of a file on a full disk, is reported unless the command has failed and said so.
 */
async function standardOutputFailed(error: NodeJS.ErrnoException, argv: readonly string[]): Promise<void> {
  const { stdout } = process;
  if (error.code === 'EIO' && stdout.isTTY) return leaveTerminal();
  stdout.destroy();
  if (error.code === 'EPIPE') process.exitCode ??= 0;
  if (error.code === 'EPIPE' || Number(process.exitCode ?? 0) !== 0) return;
  process.exitCode = 1;
  const message = 'standard output could not be written; what the command recorded stays recorded';
  await handle(new RecordedFault(message, null, error), argv);
}

// The program as oclif loads it. A host that lists the package as a plugin reads package.json and oclif.manifest.json, where all commands are
// below the topic `agent`; the program itself has them without a topic, and a manifest of its own in dist/.

const dist = fileURLToPath(new URL('../..', import.meta.url));
/** A bundle is where this module is not: its commands are those beside it, which share its modules. */
const isBundled = import.meta.dirname.startsWith(path.join(dist, 'program'));

export function ownProgram(): Interfaces.LoadOptions & object {
  const pjson = JSON.parse(readFileSync(`${dist}../package.json`, 'utf8')) as Interfaces.PJSON;
  const { agent } = pjson.oclif.topics as Readonly<Record<string, { readonly subtopics?: Interfaces.PJSON['oclif']['topics'] }>>;
  const oclif = {
    ...pjson.oclif,
    commands: './commands',
    helpClass: { target: './src/cli/help.js', identifier: 'TopicHelp' },
    topics: agent?.subtopics ?? {},
  };
  return { root: isBundled ? path.join(dist, 'program') : dist, pjson: { ...pjson, oclif } };
}
