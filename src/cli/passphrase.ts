/**
 * The passphrase of an encrypted backup: the line of a file, or typed at the terminal without being shown. It is never an argument or a
 * variable, which other processes can read.
 */
import { isEncryptedArchive, passphraseRefusal, readPassphrase } from '../app/backup/passphrase.js';
import { passphrase_chars_min } from '../base/encryption-limits.js';
import { askAtTerminal } from './ask.js';

export const passphraseFile = {
  description: 'read the passphrase of an encrypted archive from this one-line file instead of prompting',
  helpValue: 'FILE',
};

const question = 'Passphrase of the backup: ';

/** Returns the passphrase for a new backup; typed twice at the terminal. @throws RefusalError `invalid` */
export async function newPassphrase(file: string | undefined): Promise<string> {
  const [passphrase, again] = file === undefined ? await typed(question, 'Repeat the passphrase: ') : [readPassphrase(file)];
  if (file === undefined && again !== passphrase) throw passphraseRefusal('the two passphrases differ');
  if ([...passphrase].length < passphrase_chars_min)
    throw passphraseRefusal(`a passphrase has at least ${passphrase_chars_min} characters`);
  return passphrase;
}

/** Returns the passphrase of an encrypted archive; undefined for a plain one. @throws RefusalError */
export async function passphraseOf(archive: string, file: string | undefined): Promise<string | undefined> {
  if (!isEncryptedArchive(archive)) return undefined;
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
