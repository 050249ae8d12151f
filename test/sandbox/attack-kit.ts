/** What attacks are made of. */
import type { Language } from '../../src/sandbox/programs.js';
import type { CandidateRan } from '../../src/sandbox/run.js';

export interface Attack {
  readonly name: string;
  readonly language?: Language;
  readonly code: string;
  /** The arguments of each case; one case without arguments when absent. */
  readonly args?: readonly string[];
  /** The end of the run, and the beginning of what each case gives: an outcome and a text. */
  readonly ends: readonly CandidateRan['end'][];
  readonly gives: readonly RegExp[];
}

export const nothing = /^missing/;
export const python = (body: string): string =>
  `import ctypes, json, os, signal, socket, sys, time\ndef solve(*args):\n${indented(body)}`;
const indented = (body: string): string =>
  body
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');
export const exited = ['exited'] as const;
export const killed = ['killed'] as const;

/** Returns code that lists the actions of a table which were possible: a control, and none of the others. */
export const possible = (actions: string): string =>
  python(`libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), 'refused')
def write(path):
    with open(path, 'r+b' if os.path.exists(path) else 'wb') as file:
        file.write(b'x')
done = []
actions = {'control': lambda: write('/tmp/control'), ${actions}}
for name, action in actions.items():
    try:
        action()
        done.append(name)
    except (OSError, ValueError):
        pass
return done`);
export const none = /^returned \["control"\]$/;
export const writes = (...paths: readonly string[]): string =>
  possible(paths.map((path) => `'${path}': lambda: write('${path}')`).join(', '));
/** System calls by their numbers on x64. */
export const calls = (table: Readonly<Record<string, string>>): string =>
  possible(
    Object.entries(table)
      .map(([name, args]) => `'${name}': lambda: call(${args})`)
      .join(', '),
  );
