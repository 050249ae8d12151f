/** A daemon for tests of the console whose configuration and environment allow code missions to be executed. */
import { configure } from '../support/cli/cli-run.js';
import { sandboxEnv } from '../support/sandbox/sandbox.js';
import { startDaemon, type ConsoleServer } from './console-daemon.js';

export function startWithSandbox(): Promise<ConsoleServer> {
  // The home of the test is no home of the engine's user.
  const { HOME: _, ...env } = sandboxEnv();
  return startDaemon({ env, before: async (cli) => configure(cli, { allow_code_execution: true }) });
}
