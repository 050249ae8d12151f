/**
 * A warm command line: runs one command after another in one process, which spares the start of Node (0.3 s) for each of the
 * hundreds of commands that look at a home after a kill. Started by test/support/crash/crash-cli.ts; responds over IPC.
 */
import { setClock } from '../../../src/cli/command.js';
import { main } from '../../../src/cli/main.js';

export interface Order {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly offset_ms: number;
}

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Keeps what a stream is given; returns a function that reads it. */
function capture(stream: NodeJS.WriteStream): () => string {
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    const done = rest.findLast((value) => typeof value === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  return () => {
    const taken = text;
    text = '';
    return taken;
  };
}

const out = capture(process.stdout);
const err = capture(process.stderr);
process.stdout.setMaxListeners(0);

const exitCode = (): number => Number(process.exitCode ?? 0);

async function obey({ argv, env, offset_ms }: Order): Promise<Answer> {
  Object.assign(process.env, env);
  setClock(() => Date.now() + offset_ms);
  process.exitCode = undefined;
  await main(argv);
  const code = exitCode();
  process.exitCode = undefined;
  return { code, stdout: out(), stderr: err() };
}

process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ code: 1, stdout: out(), stderr: `the operator failed: ${String(error)}` }),
  );
});
process.on('disconnect', () => process.exit(0));
