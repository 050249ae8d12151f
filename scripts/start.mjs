/**
 * npm start [-- --home DIR] [--no-serve]: installs, builds, creates a home if there is none, brings the example mission to review,
 * prints the commands that follow, and serves the console, in the browser where there is a screen. Ctrl-C ends it. A second start
 * finds the same mission again.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, main, prepare, root, Stop } from './machine.mjs';

const requestId = '00000000-0000-4000-8000-000000000001';
const from = process.env.INIT_CWD ?? process.cwd();
const identityPattern = /^urn:agialpha:ed25519:([0-9a-f]{64})$/;

function homeOf(option) {
  if (option !== undefined) return { path: resolve(from, option), args: ['--home', resolve(from, option)] };
  if (process.env.AGENT_HOME)
    return { path: resolve(from, process.env.AGENT_HOME), args: ['--home', resolve(from, process.env.AGENT_HOME)] };
  const data = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return { path: join(data, 'agent-cli'), args: [] };
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Runs one command with --json. Returns its exit code and the document that it printed, or the failure from its error output. */
function agent(home, ...args) {
  const argv = [join(root, 'bin', 'agent-cli.js'), ...home.args, ...args, '--json'];
  const ran = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const code = ran.status ?? 1;
  if (code === 0) return { code, document: parsed(ran.stdout) ?? {} };
  return {
    code,
    failure: parsed(ran.stderr) ?? { title: `agent-cli ${args[0]} failed`, detail: `${ran.stderr}${ran.stdout}`.trim() },
  };
}

function must(answer) {
  if (answer.code === 0) return answer.document;
  const { title, detail } = answer.failure;
  throw new Stop([title, detail].filter(Boolean).join(': '), answer.code);
}

function openHome(home) {
  if (existsSync(home.path)) {
    const { identity } = must(agent(home, 'doctor'));
    console.log(`home      ${home.path} (kept as it is)\nidentity  ${identity}`);
    return identityPattern.exec(identity)?.[1];
  }
  const made = must(agent(home, 'init'));
  console.log(`home      ${made.home ?? home.path} (created)\nidentity  ${made.identity}\ntoken     in ${made.token_file}`);
  return made.public_key;
}

/** Calls `work` with the file of the example schedule, which is removed afterwards. */
function withExample(home, work) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-cli-'));
  try {
    const { files } = must(agent(home, 'examples', '--output', join(folder, 'examples')));
    return work(files.find((file) => file.endsWith('schedule.json')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the example's record, executed if it is new or still queued. */
function exampleMission(home) {
  const shown = agent(home, 'show', requestId);
  if (shown.code !== 0 && shown.failure.code !== 'not_found') must(shown);
  if (shown.code === 0 && shown.document.state !== 'queued') {
    console.log(`mission   ${requestId} is there already: ${shown.document.state}`);
    return shown.document;
  }
  console.log(`mission   ${requestId}: running the example schedule`);
  const record = withExample(home, (file) => must(agent(home, 'run', file, '--request-id', requestId, '--execute')));
  console.log(`mission   ${record.kind}, now in ${record.state}: ${record.goal}`);
  return record;
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns the name of a file that does not exist yet, because an export is never written over one. */
function freeName() {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'schedule-export.json' : `schedule-export-${n}.json`;
    if (!existsSync(join(from, name))) return name;
  }
}

function nextCommands(home, record, publicKey) {
  const command = ['node', relative(from, join(root, 'bin', 'agent-cli.js')), ...home.args];
  const line = (...args) => `  ${[...command, ...args].map(quoted).join(' ')}`;
  const output = freeName();
  const shown = [];
  if (record.state === 'review') {
    const bound = ['--revision', String(record.revision), '--result-hash', record.result_hash];
    shown.push(line('review', record.id, ...bound, '--approve', '--note', 'checked the schedule'));
  }
  if (record.state === 'review' || record.state === 'completed') {
    shown.push(line('export', record.id, '--output', output), line('verify-export', output, '--public-key', publicKey));
  }
  if (record.state === 'failed') shown.push(line('recover', record.id), line('execute', record.id));
  if (record.state === 'running') shown.push(line('show', record.id), line('recover', record.id));
  return shown;
}

const port_taken = 7;

/** Returns the command that opens an address in the browser, or null where there is no screen. */
function opener() {
  if (process.env.CI || !process.stdout.isTTY) return null;
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}

function openBrowser(url) {
  const [command, ...args] = opener() ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => console.log(`no browser could be started; open ${url}`));
  child.unref();
}

/** Runs the daemon until Ctrl-C and passes its output on; returns its exit code. */
function serve(home, ...flags) {
  const child = spawn(process.execPath, [join(root, 'bin', 'agent-cli.js'), ...home.args, 'serve', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  let said = '';
  let isOpen = false;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    said = (said + text).slice(-4_096);
    const url = /^console +(http\S+)$/m.exec(said)?.[1];
    if (url === undefined || isOpen) return;
    isOpen = true;
    console.log('\nCtrl-C ends it. Paste the token into the page: it is kept there only as long as the page is open.');
    openBrowser(url);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

async function serveConsole(home) {
  const code = await serve(home);
  if (code !== port_taken || process.env.AGENT_PORT) return code;
  console.log('trying a free port instead');
  return serve(home, '--port', '0');
}

await main(async () => {
  const { values } = parseArgs({ options: { home: { type: 'string' }, 'no-serve': { type: 'boolean', default: false } } });
  const home = homeOf(values.home);
  prepare();
  build();
  const publicKey = openHome(home);
  const record = exampleMission(home);
  const commands = nextCommands(home, record, publicKey);
  if (commands.length > 0)
    console.log(`\nNext${record.state === 'review' ? ': approve, export and verify it' : ''}\n\n${commands.join('\n')}\n`);
  return values['no-serve'] ? 0 : serveConsole(home);
});
