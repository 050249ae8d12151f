/** What a terminal gets: texts that others wrote cannot order, hide or control anything there (src/base/shown.ts). */
import { once } from 'node:events';
import { shownJson, shownText } from '../base/shown.js';

type Stream = Pick<NodeJS.WriteStream, 'isTTY'>;

/** Returns a value as JSON: on a terminal with escapes for what could not be seen there, elsewhere to the letter. Both are the same JSON. */
export function jsonOn({ isTTY }: Stream, value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return isTTY ? shownJson(json) : json;
}

export const printJson = (value: unknown): void => void process.stdout.write(`${jsonOn(process.stdout, value)}\n`);

/** What this program and Node's prompt write of their own accord: colours, the cursor's moves and the start of the line. */
const own = /(\u001b\[[0-9;]*[A-DGHJKm]|\r)/;

/** Returns the text as a terminal may get it. */
export const forTerminal = (text: string): string =>
  text
    .split(own)
    .map((part, i) => (i % 2 === 1 ? part : shownText(part)))
    .join('');

const guarded = new WeakSet<NodeJS.WriteStream>();

/** Makes all that is written to a terminal go through `forTerminal`, whoever writes it. */
export function guard(stream: NodeJS.WriteStream): void {
  if (!stream.isTTY || guarded.has(stream)) return;
  guarded.add(stream);
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: readonly unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: readonly unknown[]) =>
    write(typeof chunk === 'string' ? forTerminal(chunk) : chunk, ...rest);
}

/** Keeps standard output for the caller, whose texts are written to it; what anybody else prints there goes to standard error. */
export function ownOutput() {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return {
    write: (text: string) => void write(text),
    /** Resolves once the reader has taken most of what was written; rejects when the signal aborts. */
    drained: async (signal: AbortSignal) => void (stdout.writableNeedDrain && (await once(stdout, 'drain', { signal }))),
  };
}
