/** Puts questions to the person at the terminal, and reads the passphrase of an encrypted backup. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { isEncryptedArchive, passphraseFileFault, passphraseRefusal, readPassphrase } from '../app/backup/passphrase.js';
import { RefusalError } from '../base/refusal.js';

/** The shortest passphrase of a new backup (NIST SP 800-63B, 5.1.1.1). */
const passphrase_chars_min = 8;

/** Puts a question on standard error and returns the line that is typed. @throws RefusalError `interrupted` for Ctrl-C or Ctrl-D */
export type Ask = (question: string) => Promise<string>;

interface AskOptions {
  /** Shows nothing of what is typed, not even of what is typed ahead. */
  readonly isHidden?: boolean;
  /** What the refusal says where a question is not answered. */
  readonly unanswered?: string;
}

/** Returns the result of `work`, which may put several questions one after the other. Lines that are typed ahead answer later ones. */
export async function askAtTerminal<A>(work: (ask: Ask) => Promise<A>, options: AskOptions = {}): Promise<A> {
  const { isHidden = false, unanswered = 'no reply to the question; nothing was done' } = options;
  const { stdin: input, stderr } = process;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface(isHidden ? { input, output: nowhere, terminal: true } : { input, output: stderr });
  const lines = terminal[Symbol.asyncIterator]();
  const ask: Ask = async (question) => {
    if (isHidden) stderr.write(question);
    terminal.setPrompt(isHidden ? '' : question);
    terminal.prompt();
    const line = await lines.next();
    if (isHidden || line.done === true) stderr.write('\n');
    if (line.done === true) throw new RefusalError('interrupted', unanswered);
    return line.value;
  };
  try {
    return await work(ask);
  } finally {
    terminal.close();
  }
}

/** Returns whether the answer is yes; false without asking when there is no terminal to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return /^\s*y(?:es)?\s*$/i.test(await askAtTerminal((ask) => ask(`${question} [y/N] `)));
}

/**
 * The passphrase of an encrypted backup: the line of a file, or typed at the terminal without being shown. It is never an argument or a
 * variable, which other processes can read.
 */
export const passphraseFile = {
  description: 'read the passphrase of an encrypted archive from this one-line file instead of prompting',
  helpValue: 'FILE',
};

export const strictFiles = {
  description: 'refuse a passphrase file that others could read, in place of a warning',
  dependsOn: ['passphrase-file'],
};

/** Returns the warning about a passphrase file that others could read, if there is one. @throws RefusalError where that is to be refused */
export function passphraseFileWarnings(file: string | undefined, isStrict: boolean): readonly string[] {
  const fault = file === undefined ? null : passphraseFileFault(file);
  if (fault === null) return [];
  if (isStrict) throw passphraseRefusal(fault);
  return [`the passphrase file ${fault}`];
}

const question = 'Passphrase of the backup: ';

/** Returns the passphrase for a new backup; typed twice at the terminal. @throws RefusalError `invalid` */
export async function newPassphrase(file: string | undefined): Promise<string> {
  const [passphrase, again] = file === undefined ? await typed(question, 'Repeat the passphrase: ') : [readPassphrase(file)];
  if (file === undefined && again !== passphrase) throw passphraseRefusal('the two passphrases differ');
  if ([...passphrase].length < passphrase_chars_min)
    throw passphraseRefusal(`a passphrase has at least ${passphrase_chars_min} characters`);
  return passphrase;
}

/** Returns the passphrase of an encrypted archive; undefined for a plain one. @throws RefusalError, also for a file with a plain one, which somebody may have put in its place */
export async function passphraseOf(archive: string, file: string | undefined): Promise<string | undefined> {
  if (!isEncryptedArchive(archive)) {
    if (file === undefined) return undefined;
    throw passphraseRefusal(`${archive} is not encrypted; leave out --passphrase-file if you trust it all the same`);
  }
  const [passphrase] = file === undefined ? await typed(question) : [readPassphrase(file)];
  return passphrase;
}

/** Prompts at the terminal, once for each text. Nothing that is typed is shown, not even what is typed ahead. */
async function typed(first: string, ...others: readonly string[]): Promise<[string, ...string[]]> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw passphraseRefusal('is required when there is no terminal to prompt on');
  return await askAtTerminal(
    async (ask) => {
      const answers: [string, ...string[]] = [await ask(first)];
      for (const text of others) answers.push(await ask(text));
      return answers;
    },
    { isHidden: true },
  );
}
