/** Asks a yes-or-no question on a terminal. */
import { askAtTerminal } from './ask.js';

/** Returns whether the answer is yes; false without asking when there is no terminal to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return /^\s*y(?:es)?\s*$/i.test(await askAtTerminal((ask) => ask(`${question} [y/N] `)));
}
