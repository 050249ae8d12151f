/** Puts questions to the person at the terminal. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { RefusalError } from '../base/result.js';

/** Puts a question on standard error and returns the line that is typed. @throws RefusalError `interrupted` for Ctrl-C or Ctrl-D */
export type Ask = (question: string) => Promise<string>;

export interface AskOptions {
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
    if (line.done === true) throw new RefusalError({ code: 'interrupted', detail: unanswered });
    return line.value;
  };
  try {
    return await work(ask);
  } finally {
    terminal.close();
  }
}
