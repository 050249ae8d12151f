/** The entry point of the command line: moves a leading `--home` behind the command, then calls oclif. */
import { Config, Errors, flush, run } from '@oclif/core';
import { RecordedFault } from '../base/fault.js';
import { RefusalError } from '../base/result.js';
import { leaveTerminal } from './hangup.js';
import { nearest } from './nearest.js';
import { joined, unexpected } from './usage.js';

/** oclif reads the command from the first word: `agent-cli --home DIR list` becomes `agent-cli list --home DIR`. */
export function arrange(argv: readonly string[]): string[] {
  const leading: string[] = [];
  const rest = [...argv];
  while (rest.length > 0) {
    const [first, second] = rest;
    if (first === '--json' && rest.length > 1) leading.push(...rest.splice(0, 1));
    else if (first?.startsWith('--home=') === true) leading.push(...rest.splice(0, 1));
    else if (first === '--home' && second !== undefined) leading.push(...rest.splice(0, 2));
    else break;
  }
  const separator = rest.indexOf('--');
  if (leading.length === 0 || rest.length === 0) return [...argv];
  return separator < 0 ? [...rest, ...leading] : [...rest.slice(0, separator), ...leading, ...rest.slice(separator)];
}

/** Handles errors before a command exists (an unknown name) and oclif's own exits (`--help`). */
async function handle(error: unknown, argv: readonly string[]): Promise<void> {
  if (error instanceof Errors.ExitError) {
    process.exitCode ??= error.oclif.exit ?? 0;
    return;
  }
  const failure = (await unknownCommand(error)) ?? (error instanceof Error ? error : new Error(String(error)));
  const { reportFailure } = await import('./failure.js');
  reportFailure(failure, { json: argv.includes('--json'), bin: 'agent-cli', help: 'agent-cli --help' });
}

/** Returns the refusal of a word that is no command, with the commands that it may stand for; null for another error. */
async function unknownCommand(error: unknown): Promise<RefusalError | null> {
  const word = error instanceof Errors.CLIError ? /^command (.+) not found$/s.exec(error.message)?.[1] : undefined;
  if (word === undefined) return null;
  const hint = 'agent-cli --help';
  if (word.startsWith('-'))
    return new RefusalError({ code: 'invalid', detail: 'a command is missing: agent-cli [--home DIR] COMMAND', hint });
  const { commandIDs } = await Config.load(import.meta.url);
  const names = commandIDs.map((id) => id.replaceAll(':', ' '));
  const [first = '', ...rest] = word.split(':');
  if (names.includes(first)) {
    const detail = unexpected(rest);
    return new RefusalError({ code: 'invalid', detail, hint: `agent-cli ${first} --help` });
  }
  const name = names.some((known) => known.startsWith(`${first} `)) ? [first, ...rest.slice(0, 1)].join(' ') : first;
  const near = nearest(name, names);
  const meant = near.length === 0 ? '' : `; did you mean ${joined(near, 'or')}?`;
  return new RefusalError({ code: 'not_found', detail: `there is no command ${name}${meant}`, hint });
}

export async function main(argv: readonly string[]): Promise<void> {
  // oclif's own listener throws every error except EPIPE.
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (isUnwritable(error, process.stdout)) void cannotPrint(error, argv);
    else if (isGone(error, process.stdout)) process.stdout.destroy();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => void isGone(error, process.stderr));
  try {
    await run(arrange(argv), import.meta.url);
    await flush();
  } catch (error) {
    await handle(error, argv);
  }
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
 * Returns whether the reader of a pipe is gone (`agent-cli list | head`), which is no error. A closed terminal is no error
 * either; SIGHUP ends the process then.
 * @throws any other error
 */
function isGone(error: NodeJS.ErrnoException, { isTTY }: NodeJS.WriteStream): boolean {
  if (error.code === 'EIO' && isTTY) leaveTerminal();
  else if (error.code !== 'EPIPE') throw error;
  else process.exitCode ??= 0;
  return error.code === 'EPIPE';
}
