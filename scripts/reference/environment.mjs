/** docs/reference/environment.md. The table is written by hand; the page is refused when the sources read another set of variables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, root } from '../machine.mjs';
import { code, table } from './markdown.mjs';

const variables = {
  'Every command': {
    AGENT_HOME: ['`$XDG_DATA_HOME/agent-cli`, else `~/.local/share/agent-cli`', 'the home, when `--home` is not given'],
    AGENT_WITNESS: [
      '`$XDG_STATE_HOME/agent-cli/witness`, else `~/.local/state/agent-cli/witness`',
      'the directory of the witness files, preferably on another disk',
    ],
    XDG_DATA_HOME: ['`~/.local/share`', 'base directory of the default home, an absolute path'],
    XDG_STATE_HOME: ['`~/.local/state`', 'base directory of the default witness directory, an absolute path'],
    XDG_CACHE_HOME: [
      '`~/.cache`',
      'base directory of `agent-cli`, where Node 22 and later keep what they compiled, for the next command; only if it is private to the user',
    ],
    AGENT_LLM_KEY: [
      'none',
      'the key of the language model’s provider; `llm_key_env` in the configuration can name another variable ([provider.md](../provider.md))',
    ],
  },
  'The operator server': {
    AGENT_PORT: ['8765', 'the port of `serve`, when `--port` is not given; 0 takes any free one'],
    AGENT_ALLOWED_HOSTS: [
      'none',
      'host names that `serve` accepts besides the loopback names, separated by commas, each with or without a port',
    ],
  },
  'Work on other machines': {
    AGENT_NATS_CREDS: [
      'none',
      'file with the credentials of a queue, mode 0600 ([beyond-one-machine.md](../beyond-one-machine.md))',
    ],
    AGENT_NATS_TOKEN: ['none', 'the token of a queue, where it takes one'],
    AGENT_NATS_CA: ['the system’s', 'file of the certificates (PEM) that a queue’s certificate must come from'],
  },
  'The simulation server': {
    API_TOKEN: ['none', 'the token of the simulation’s API and dashboard; without it `serve` does not offer them'],
    PORT: ['8000', 'the port; 0 takes any free one'],
    API_RATE_LIMIT: ['60', 'requests per minute per address ([simulation-api.md](../simulation-api.md))'],
    API_HOME_TOKENS: [
      '0',
      '1: the named tokens of the home are accepted beside API_TOKEN ([simulation-api.md](../simulation-api.md#several-people))',
    ],
    API_TRUSTED_PROXIES: [
      'none',
      'addresses and networks of proxies whose X-Forwarded-For names the client ([run-behind-a-proxy.md](../how-to/run-behind-a-proxy.md#the-simulations-port))',
    ],
    API_CORS_ORIGINS: [
      '`*`',
      'origins of pages that may read responses; empty for none ([simulation-api.md](../simulation-api.md))',
    ],
    AGI_ISLAND_BACKENDS: [
      '`main=threads`',
      'islands of each run, `name=backend,…`; backends `threads`, `threads:N`, `nats://HOST:PORT`, `tls://HOST:PORT`',
    ],
  },
  'The message bus': {
    AGI_INSIGHT_BUS_PORT: ['6006', 'the port on which `serve` offers the message bus; 0 turns it off'],
    AGI_INSIGHT_BUS_HOST: ['127.0.0.1', 'the address; one that other machines can reach needs a certificate and a token'],
    AGI_INSIGHT_BUS_CERT: ['none', 'file of the certificate chain (PEM); set together with the key'],
    AGI_INSIGHT_BUS_KEY: ['none', 'file of the private key (PEM, without a passphrase)'],
    AGI_INSIGHT_BUS_TOKEN: ['none', 'the token of every client, at least 16 characters'],
  },
  Alerts: {
    AGENT_NOTICE_SECRET: ['none', 'the secret with which notices are signed ([operations.md](../operations.md#notices))'],
    ALERT_WEBHOOK_URL: [
      'none',
      'where alerts are sent to; https, or http on this machine ([operations.md](../operations.md#alerts))',
    ],
  },
  'Code missions': {
    AGENT_SANDBOX_IMAGE: [
      'none',
      'the image, `sha256:<image id>` or `name@sha256:<manifest digest>`; `scripts/sandbox-image` prints it',
    ],
    AGENT_CONTAINER_ENGINE: ['podman, then docker', '`podman` or `docker`'],
    SANDBOX_CPU_SEC: ['2', 'CPU time of each process of a run, in s, 1 to 60'],
    SANDBOX_MEM_MB: ['256', 'memory of a run, swap included, in MiB, 64 to 4096'],
  },
  Terminals: {
    COLUMNS: ['the terminal’s width, else 80', 'the width of lists, records and help, from 40 to 200'],
    NO_COLOR: ['', 'turns colours off'],
    PAGER: ['`less -FRX`', 'what `show`, `review` and `list` print long output through on a terminal; empty or `cat` for none'],
    TERM: ['', '`dumb` turns colours and pictures with special characters off'],
    'LC_ALL, LC_CTYPE, LANG': [
      '',
      'the first that is set says whether the terminal shows UTF-8; otherwise pictures are drawn in ASCII',
    ],
    DEBUG: ['', 'any value: an unexpected failure is printed with its stack'],
  },
  'Tests and benchmarks': {
    AGENT_TEST_DATA: ['`../shared/data`', 'directory of larger test data'],
    AGENT_TEST_NODES: ['`$XDG_CACHE_HOME/agent-cli-test/nodes`', 'directory of other Node versions'],
    TEST_EFFORT: ['', '`full`: run the full-size tests'],
    REQUIRE_REAL: ['', '`1`: fail instead of skipping tests that this machine cannot run'],
  },
};

/** Set by the program itself for oclif: from COLUMNS; and where it is not set. */
const own = ['OCLIF_COLUMNS', 'SHELL'];
const names = new Set(Object.values(variables).flatMap((group) => Object.keys(group).flatMap((name) => name.split(', '))));
/** A member of an environment, or the name of a variable in a literal. */
const read = /\benv(?:ironment)?(?:\.([A-Z][A-Z0-9_]+)|\[['"]([A-Z][A-Z0-9_]+)['"]\])|'((?:AGENT|AGI|API|SANDBOX)_[A-Z0-9_]+)'/g;
const flat = (groups) =>
  Object.entries(groups).map(([name, [fallback, text]]) => [name.split(', ').map(code).join(', '), fallback, text]);

/** Returns the variables that the program reads and the table lacks. */
function undocumented() {
  const sources = ['src', 'commands'].flatMap(filesUnder).filter((path) => /\.tsx?$/.test(path));
  const found = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(read)].map(([, a, b, c]) => a ?? b ?? c),
  );
  return [...new Set(found)].filter((name) => !names.has(name) && !own.includes(name));
}

export function environmentPage() {
  const missing = undocumented();
  if (missing.length > 0)
    throw new Error(`environment variables without a description in ${import.meta.filename}: ${missing.join(', ')}`);
  return [
    '# Environment',
    'A flag takes precedence over its variable. Settings of the home itself are in the [configuration](configuration.md).',
    ...Object.entries(variables).map(([title, group]) => `## ${title}\n\n${table(['Variable', 'Default', ''], flat(group))}`),
    'The simulation server also reads `.env` in the working directory, but only API_*, PORT, ALERT_WEBHOOK_URL, SANDBOX_* and AGI_*. The environment takes precedence, even with an empty variable.',
  ].join('\n\n');
}
