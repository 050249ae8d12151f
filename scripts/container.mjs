/**
 * The entry point of the container image: `agent` makes a home where /data has none and serves it with the console on port 8000,
 * `simulation` serves the simulation alone on port 8001 (API_TOKEN is required), `healthy PORT` asks a server of this container; any other
 * words are a command of agent-cli. The server is this process itself, which gets the container's signals from tini.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/agent-cli.js', import.meta.url));
const healthy_ms_max = 4_000;

/** Continues as the program, as if it had been called with these words. */
async function become(script, ...words) {
  process.argv = [process.argv[0], script, ...words];
  await import(script);
}

/** Makes the home on an empty volume; one that cannot be made ends the container with the exit code of `init`. */
async function agent() {
  if (!existsSync(join(process.env.AGENT_HOME, 'config.json'))) {
    const { status } = spawnSync(process.execPath, [program, 'init'], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  await become(program, 'serve', '--host', '0.0.0.0', '--port', '8000', '--allow-remote', '--no-simulation');
}

/** Ends with exit code 1, and one line for the log of the health check, where the server does not respond. */
async function healthy(port) {
  const url = `http://127.0.0.1:${port}/healthz`;
  const status = await fetch(url, { signal: AbortSignal.timeout(healthy_ms_max) }).then(
    (response) => (response.ok ? null : `responded with ${response.status}`),
    (error) => `did not respond: ${error.cause?.message ?? error.message}`,
  );
  if (status === null) return;
  console.error(`${url} ${status}`);
  process.exitCode = 1;
}

const [word, ...rest] = process.argv.slice(2);
if (word === 'agent' && rest.length === 0) await agent();
else if (word === 'simulation' && rest.length === 0)
  await become(
    fileURLToPath(new URL('../dist/program/src/http/simulation-main.js', import.meta.url)),
    '--host',
    '0.0.0.0',
    '--port',
    '8001',
  );
else if (word === 'healthy') await healthy(rest[0]);
else await become(program, ...process.argv.slice(2));
