/** The entry point of the command line: moves a leading `--home` behind the command, then calls oclif. */
import { Config, Errors, flush, run } from '@oclif/core';
import { RecordedFault } from '../base/fault.js';
import { RefusalError } from '../base/result.js';
import { arrange } from './arrange.js';
import { leaveTerminal } from './hangup.js';
import { bindingRefusal } from './native-binding.js';
import { ownProgram } from './own-program.js';
import { unknownCommand } from './unknown-command.js';

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
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (isUnwritable(error, process.stdout)) void cannotPrint(error, argv);
    else if (isGone(error, process.stdout)) process.stdout.destroy();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => void isGone(error, process.stderr));
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

/** Returns whether a stream cannot be written for another reason than that its reader or terminal is gone: a file on a full disk. */
const isUnwritable = ({ code }: NodeJS.ErrnoException, { isTTY }: NodeJS.WriteStream): boolean =>
  code !== undefined && code !== 'EPIPE' && !(code === 'EIO' && isTTY);

/** Reports that a command's output could not be written, unless the command has failed and said so. */
async function cannotPrint(error: Error, argv: readonly string[]): Promise<void> {
  process.stdout.destroy();
  if (Number(process.exitCode ?? 0) !== 0) return;
  process.exitCode = 1;
  const message = 'standard output could not be written; what the command recorded stays recorded';
  await handle(new RecordedFault(message, null, error), argv);
}

/**
 * Returns whether the reader of a pipe is gone (`agent-cli list | head`), which is not an error. A closed terminal is not an error
 * either; SIGHUP ends the process then.
 * @throws any other error
 */
function isGone(error: NodeJS.ErrnoException, { isTTY }: NodeJS.WriteStream): boolean {
  if (error.code === 'EIO' && isTTY) leaveTerminal();
  else if (error.code !== 'EPIPE') throw error;
  else process.exitCode ??= 0;
  return error.code === 'EPIPE';
}
