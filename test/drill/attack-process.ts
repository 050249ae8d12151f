/** A process that attacks a daemon: `attack-process.js NAME TARGET`, TARGET as JSON. It ends with its parent, or when it is killed. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attacks, type Attacked } from './attacks.js';

export interface Mounted {
  /** Resolves when all clients are at work; rejects if the attack ends before. */
  readonly ready: Promise<void>;
  readonly end: () => Promise<void>;
}

/** Begins the attack of that name in a process of its own. */
export function mount(name: string, target: Attacked): Mounted {
  const child = fork(fileURLToPath(import.meta.url), [name, JSON.stringify(target)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(() => undefined);
  const early = gone.then(() => Promise.reject(new Error(`the attack ${name} ended by itself`)));
  const ready = Promise.race([once(child, 'message').then(() => undefined), early]);
  // Nobody may wait for it, and then it is no error that the attack is ended before.
  ready.catch(() => undefined);
  return { ready, end: () => ended(child, gone) };
}

async function ended(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGKILL');
  await gone;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name = '', target = '{}'] = process.argv.slice(2);
  process.on('disconnect', () => process.exit(0));
  await attacks[name]?.mount(JSON.parse(target) as Attacked);
  process.send?.('ready');
}
