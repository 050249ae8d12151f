/** Asks a yes-or-no question on a terminal. */
import { createInterface } from 'node:readline/promises';

/** Returns whether the answer is yes; false without asking when there is no terminal to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(?:es)?\s*$/i.test(await terminal.question(`${question} [y/N] `));
  } finally {
    terminal.close();
  }
}
