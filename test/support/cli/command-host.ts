/**
 * Commands without a start of the program for each: a process that has loaded the program runs them one after another (hosted-commands.ts), and
 * a shell script that is called like the program hands them over. Whatever needs a process of its own gets one: a command with
 * standard input or on a terminal, a server, and one that writes a secret past the streams. TEST_EFFORT=full starts a process for every command.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullEffort } from '../effort.js';
import { packageRoot } from '../package-root.js';

const root = packageRoot(import.meta.url);
const ownProcess = `exec '${process.execPath}' '${join(root, 'bin', 'agent-cli.js')}' "$@"`;

/**
 * Runs a command in the shell's place. OWN_PROCESS=1 keeps it from a host, as a command that the script signals must be; OWN_PROCESS=0 lets
 * a host have a server too, which then must end at once.
 */
const client = (directory: string): string => `own() { ${ownProcess}; }
[ "$OWN_PROCESS" != 1 ] && [ /dev/stdin -ef /dev/null ] && [ ! -t 1 ] && [ ! -t 2 ] || own "$@"
case "$OWN_PROCESS$1 $2" in serve*|start*|watch*|worker*|'token create'|'token rotate') own "$@";; esac
at='${directory}'/$$
{ printf '%s\\0' $# "$PWD" "$@"; env -0; } >"$at.request"
mkfifo "$at.done"
echo $$ >'${directory}/requests'
read -r code <"$at.done"
[ ! -e "$at.stdout" ] || cat "$at.stdout"
[ ! -e "$at.stderr" ] || cat "$at.stderr" >&2
rm -f "$at".*
exit "$code"`;

export interface CommandHost {
  /** The text of a shell script that is the program. */
  readonly script: string;
  /** Lets the host be used again. */
  readonly release: () => void;
}

interface Host {
  readonly directory: string;
  readonly child: ChildProcess;
}

const idle: Host[] = [];
const all = new Set<Host>();

function start(): Host {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-host-')));
  execFileSync('mkfifo', [join(directory, 'requests')]);
  const file = join(root, 'dist', 'test', 'support', 'cli', 'hosted-commands.js');
  const env = { ...process.env, COLUMNS: '99', LC_ALL: 'C.UTF-8' };
  const child = spawn(process.execPath, [file, directory], { env, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  child.unref();
  (child.stdio[3] as Socket).unref();
  const host = { directory, child };
  all.add(host);
  return host;
}

process.once('exit', () => {
  for (const { directory } of all) rmSync(directory, { recursive: true, force: true });
});

/** @param hosted whether commands may share a process at all: otherwise each has its own */
export function commandHost(hosted = true): CommandHost {
  if (!hosted || fullEffort || process.platform !== 'linux') return { script: ownProcess, release: () => undefined };
  const host = idle.pop() ?? start();
  return { script: client(host.directory), release: () => void idle.push(host) };
}
