/**
 * Runs the commands of a page of documentation as a scenario (test/scenario/README.md). Each block with the language `console` holds commands and
 * what they print, warnings and errors included; a command without output may print anything on standard output. `<!-- test … -->` holds steps that a reader does not see. A
 * placeholder such as ID is replaced once a hidden step has set it. A JSON block below a line such as "Save this as `NAME`:" is that file. A block `console server` starts a server, which runs to the end of the page;
 * each command of a block `console stream` goes on, and is ended when it has printed a server-sent event.
 * `agent-cli review ID` without flags asks, so it runs on a pseudo-terminal, where a person approves. A command that only sets variables
 * does so for all that follow.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../http/free-port.js';
import { runScenario, type Place } from './scenario-run.js';
import { readScenario, type Scenario, type Step } from './scenario-text.js';
import { quoted, typed_ahead } from './typed-ahead.js';

const fragment = /^```console(?: (server|stream))?\n([\s\S]*?)^```$|^<!-- test\n([\s\S]*?)^-->$/gm;
/** A block whose content the reader saves under a name. */
const saved = /Save (?:this|it) as `([\w.-]+)`[^\n]*:\n\n```json\n([\s\S]*?)^```$/gm;
/** Addresses that pages name, and the variables that set the ports of a server there. */
const shown_ports = {
  '127.0.0.1:8765': 'AGENT_PORT',
  '127.0.0.1:8000': 'PORT',
  '127.0.0.1:6006': 'AGI_INSIGHT_BUS_PORT',
} as const;
type Ports = Readonly<Record<keyof typeof shown_ports, number>>;

/** Replaces the placeholders in a command by the variables that earlier steps set. */
const filled = (command: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replace(new RegExp(`(?<![$\\w{-])${name}(?![\\w}])`, 'g'), `$${name}`), command);

/** Starts a server in a process group of its own, so that it outlives the step, and waits until it serves. */
const startServer = (server: string): string =>
  `: >server.out
setsid sh -c ${quoted(`${server} & echo $! >server.pid; wait $!; echo $? >server.ended`)} >server.out 2>server.log </dev/null &
echo $! >server.group
until grep -q '^console' server.out; do [ ! -e server.ended ] || exit 99; sleep 0.05; done
cat server.out`;

const stopServer = 'kill -TERM $(cat server.pid); until [ -s server.ended ]; do sleep 0.05; done; exit $(cat server.ended)';

/** Ends the server that a page left running because one of its steps failed. */
function killServer(directory: string): void {
  const file = join(directory, 'server.group');
  if (!existsSync(file) || existsSync(join(directory, 'server.ended'))) return;
  process.kill(-Number(readFileSync(file, 'utf8')), 'SIGKILL');
}

/** Starts a command that goes on, and ends it when an event has arrived. */
const untilEvent = (command: string): string =>
  `: >stream.out; ${command} >stream.out & stream=$!
until grep -q '^data: .*}$' stream.out; do kill -0 $stream || exit 99; sleep 0.05; done
kill -TERM $stream; cat stream.out`;

const asks = /^agent-cli review \S+$/;
const sets_variables = /^(?:(?:export )?[A-Z_]+=(?:"[^"]*"|\$\([^)]*\)|[^\s;]*)(?:; |\s*(?:#.*)?$))+$/;

/** Runs a command on a pseudo-terminal, with typed replies to its questions. */
const onTerminal = (command: string): string =>
  `TERM=xterm SHELL=/bin/sh sh -c ${quoted(typed_ahead)} terminal ${quoted('a\nchecked against the plan\n')} "${command}"`;

/** Lines that commands print on standard error, as people see them: between the lines of standard output. */
const says = /^[✗!] /;

/** A command that first shows, on standard error, what it has a person sign. */
const signs = / --sign /;

const anything = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ['...'] : lines);

/** Returns the settings of a page's server: its ports, and no message bus unless the page names its address. */
const settingsOf = (page: string, ports: Ports): string =>
  Object.entries(shown_ports)
    .map(([address, name]) => {
      const port = name === 'AGI_INSIGHT_BUS_PORT' && !page.includes(address) ? 0 : ports[address as keyof Ports];
      return `export ${name}=${port}; `;
    })
    .join('');

const withPorts = (text: string, ports: Ports): string =>
  Object.entries(ports).reduce(
    (changed, [address, port]) =>
      changed.replaceAll(address, `127.0.0.1:${port}`).replaceAll(address.replace('127.0.0.1', 'localhost'), `localhost:${port}`),
    text,
  );

/** Returns the scenario of a page, whose servers listen on the given ports. */
function scenarioOfPage(page: string, ports: Ports): Scenario {
  const names: string[] = [];
  const steps: Step[] = [];
  const files = new Map([...page.matchAll(saved)].map(([, name = '', text = '']) => [name, text] as const));
  let isServed = false;
  let variables = '';
  for (const [, sort, shown, hidden] of page.matchAll(fragment)) {
    const read = readScenario(withPorts(shown ?? hidden ?? '', ports));
    for (const [name, text] of read.files) files.set(name, text);
    for (const step of read.steps) {
      let command = shown === undefined ? step.command : filled(step.command, names);
      if (sort === 'stream') command = untilEvent(command);
      if (shown !== undefined && asks.test(command)) command = onTerminal(command);
      if (shown !== undefined && step.stdout.some((line) => says.test(line))) command = `{ ${command}\n} 2>&1`;
      const before = variables;
      // A random value stays the same in all steps, because one server has it.
      if (sets_variables.test(command))
        variables += `${command.replaceAll('$(openssl rand -hex 32)', randomBytes(32).toString('hex'))}\n`;
      if (sort === 'server') isServed = true;
      command = `${before}${isServed ? settingsOf(page, ports) : ''}${command}`;
      if (sort === 'server') command = startServer(command);
      const isJson = step.captures.length + step.values.length > 0;
      const stderr = signs.test(step.command) ? ['...'] : step.stderr;
      steps.push({ ...step, command, stderr, stdout: shown !== undefined && !isJson ? anything(step.stdout) : step.stdout });
      names.push(...step.captures.map(({ name }) => name));
    }
  }
  if (isServed) steps.push({ line: 0, command: stopServer, exit: 0, stdout: [], stderr: [], captures: [], values: [] });
  return { steps, files };
}

export interface PageOptions {
  /** Are there before the first command. */
  readonly files?: ReadonlyMap<string, string>;
  readonly furnish?: ((place: Place) => void) | undefined;
}

/** Runs a page; rejects with the command that did something else than the page says. */
export async function runPage(page: string, { files = new Map(), furnish }: PageOptions = {}): Promise<void> {
  const ports = { '127.0.0.1:8765': await freePort(), '127.0.0.1:8000': await freePort(), '127.0.0.1:6006': await freePort() };
  const scenario = scenarioOfPage(page, ports);
  const furnished = (place: Place): (() => void) => {
    furnish?.(place);
    return () => killServer(place.directory);
  };
  await runScenario({ ...scenario, files: new Map([...files, ...scenario.files]) }, furnished, true);
}
