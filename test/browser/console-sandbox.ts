/** A daemon for tests of the console whose configuration and environment allow code missions to be executed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from '../support/cli/cli-run.js';
import { sandboxEnv } from '../support/sandbox/sandbox.js';
import { startDaemon, type ConsoleServer } from './console-daemon.js';

async function allowed({ directory, json }: Scratch): Promise<void> {
  const file = join(directory, 'allowed.json');
  writeFileSync(file, JSON.stringify({ allow_code_execution: true }));
  json('pause');
  json('configure', file);
  json('resume');
}

export function startWithSandbox(): Promise<ConsoleServer> {
  // The home of the test is no home of the engine's user.
  const { HOME: _, ...env } = sandboxEnv();
  return startDaemon({ env, before: allowed });
}
