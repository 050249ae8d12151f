/**
 * Runs the commands of a page of documentation as a scenario (test/scenario/README.md). Each block with the language `console` holds commands and
 * what they print, warnings and errors included; a command without output may print anything on standard output. `<!-- test … -->` holds steps that a reader does not see. A
 * placeholder such as ID is replaced once a hidden step has set it. A block `console server` starts a server, which then runs beside each step.
 * `agent-cli review ID` without flags asks, so it runs on a pseudo-terminal, where a person approves.
 */
import { freePort } from './free-port.js';
import { runScenario, type Place } from './scenario-run.js';
import { readScenario, type Scenario, type Step } from './scenario-text.js';

const fragment = /^```console( server)?\n([\s\S]*?)^```$|^<!-- test\n([\s\S]*?)^-->$/gm;
const port_shown = '8765';

/** Replaces the placeholders in a command by the variables that earlier steps set. */
const filled = (command: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replace(new RegExp(`(?<![$\\w{-])${name}(?![\\w}])`, 'g'), `$${name}`), command);

/** Starts a server, waits until it serves, runs the command beside it, and ends the server. */
const beside = (server: string, command: string): string =>
  `: >server.out; ${server} >server.out 2>server.log & server=$!
until grep -q '^console' server.out; do kill -0 $server || exit 99; sleep 0.05; done
${command}
code=$?; kill -TERM $server; wait $server; exit $code`;

const asks = /^agent-cli review \S+$/;

/** Runs a command on a pseudo-terminal, where its questions are answered. */
const onTerminal = (command: string): string =>
  `printf 'a\\nchecked against the plan\\n' | TERM=xterm SHELL=/bin/sh script -qec "${command}" /dev/null`;

/** Lines that commands print on standard error, as people see them: between the lines of standard output. */
const says = /^[✗!] /;

const anything = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ['...'] : lines);

/** Returns the scenario of a page, whose server listens on the given port. */
export function scenarioOfPage(page: string, port: number): Scenario {
  const names: string[] = [];
  const steps: Step[] = [];
  const files = new Map<string, string>();
  let server: string | null = null;
  for (const [, serves, shown, hidden] of page.matchAll(fragment)) {
    const read = readScenario((shown ?? hidden ?? '').replaceAll(`127.0.0.1:${port_shown}`, `127.0.0.1:${port}`));
    for (const [name, text] of read.files) files.set(name, text);
    for (const step of read.steps) {
      let command = shown === undefined ? step.command : filled(step.command, names);
      if (serves !== undefined) {
        server = `AGI_INSIGHT_BUS_PORT=0 AGENT_PORT=${port} ${command}`;
        command = 'cat server.out';
      }
      if (shown !== undefined && asks.test(command)) command = onTerminal(command);
      if (shown !== undefined && step.stdout.some((line) => says.test(line))) command = `{ ${command}\n} 2>&1`;
      if (server !== null) command = beside(server, command);
      const isJson = step.captures.length + step.values.length > 0;
      steps.push({ ...step, command, stdout: shown !== undefined && !isJson ? anything(step.stdout) : step.stdout });
      names.push(...step.captures.map(({ name }) => name));
    }
  }
  return { steps, files };
}

export interface PageOptions {
  /** Are there before the first command. */
  readonly files?: ReadonlyMap<string, string>;
  readonly furnish?: ((place: Place) => void) | undefined;
}

/** Runs a page; rejects with the command that did something else than the page says. */
export async function runPage(page: string, { files = new Map(), furnish }: PageOptions = {}): Promise<void> {
  const scenario = scenarioOfPage(page, await freePort());
  await runScenario({ ...scenario, files: new Map([...files, ...scenario.files]) }, furnish);
}
