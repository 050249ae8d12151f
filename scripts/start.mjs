/**
 * npm start [-- --home DIR] [--no-serve] [--login-link]: installs, builds, creates a home if there is none, brings the example mission to
 * review, shows its result and the commands that follow, and serves the console; on a terminal, or with --login-link, it prints a link that
 * opens the console signed in. Ctrl-C ends it. A second start finds the same mission again.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { main, prepare, root, Stop } from './machine.mjs';

const requestId = '00000000-0000-4000-8000-000000000001';
const from = process.env.INIT_CWD ?? process.cwd();
const identityPattern = /^urn:agialpha:ed25519:([0-9a-f]{64})$/;

function homeOf(option) {
  const named = option ?? process.env.AGENT_HOME;
  if (named) {
    // The program refuses a `~` that no shell replaced.
    const path = named.startsWith('~') ? named : resolve(from, named);
    return { path, args: ['--home', path] };
  }
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

const steps = ['packages', 'build', 'home', 'example mission', 'result'];
let startedAt = Date.now();

/** Prints the name of a step, and before it how long the previous one took. */
function step(n) {
  if (n > 1) console.log(`      ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  console.log(`[${n}/${steps.length}] ${steps[n - 1]}`);
  startedAt = Date.now();
}

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
    const publicKey = identityPattern.exec(identity)?.[1];
    console.log(`home        ${home.path} (kept as it is)\npublic key  ${publicKey}`);
    return publicKey;
  }
  const made = must(agent(home, 'init'));
  console.log(
    `home        ${made.home ?? home.path} (created)\npublic key  ${made.public_key}\ntoken       in ${made.token_file}`,
  );
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

/** Runs a command whose progress and errors people read on standard error. @throws Stop when it fails */
function watched(home, ...args) {
  const argv = [join(root, 'bin', 'agent-cli.js'), ...home.args, ...args];
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Stop(`agent-cli ${args[0]} failed`, status ?? 1);
}

/** Returns the example's record, executed if it is new or still queued. */
function exampleMission(home) {
  const shown = agent(home, 'show', requestId);
  if (shown.code !== 0 && shown.failure.code !== 'not_found') must(shown);
  if (shown.code === 0 && shown.document.state !== 'queued') {
    console.log(`mission     ${requestId.slice(0, 8)} is there already: ${shown.document.state}`);
    return shown.document;
  }
  if (shown.code === 0) watched(home, 'execute', requestId);
  else withExample(home, (file) => watched(home, 'run', file, '--request-id', requestId, '--execute'));
  const record = must(agent(home, 'show', requestId));
  console.log(`mission     ${requestId.slice(0, 8)} ${record.kind}, now in ${record.state}`);
  return record;
}

/** Prints the record and the picture of its result, as `show` does. */
async function showResult(record) {
  // Loaded here: there is no build before the first step.
  const { recordLines } = await import('../dist/src/cli/render.js');
  console.log(`\n${recordLines(record).join('\n')}`);
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Returns the name of a file that does not exist yet, because an export is never written over one. */
function freeName() {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'schedule-export.json' : `schedule-export-${n}.json`;
    if (!existsSync(join(from, name))) return name;
  }
}

/** Returns the arguments of the decision: on a terminal the command shows the result and asks. */
function reviewArgs({ id, revision, result_hash }) {
  if (process.stdout.isTTY) return ['review', id.slice(0, 8)];
  return [
    'review',
    id,
    '--revision',
    String(revision),
    '--result-hash',
    result_hash,
    '--approve',
    '--note',
    'checked the schedule',
  ];
}

function nextCommands(home, record, publicKey) {
  const command = ['node', relative(from, join(root, 'bin', 'agent-cli.js')), ...home.args];
  const line = (...args) => `  ${[...command, ...args].map(quoted).join(' ')}`;
  const output = freeName();
  const id = record.id.slice(0, 8);
  const shown = [];
  if (record.state === 'review') shown.push(line(...reviewArgs(record)));
  if (record.state === 'review' || record.state === 'completed') {
    shown.push(line('export', id, '--output', output), line('verify-export', output, '--public-key', publicKey, '--recompute'));
  }
  if (record.state === 'failed') shown.push(line('recover', id), line('execute', id));
  if (record.state === 'running') shown.push(line('show', id), line('recover', id));
  return shown;
}

const port_taken = 7;

/**
 * Runs the daemon until Ctrl-C and passes its output on; returns its exit code. The daemon issues the login code itself: nothing of it
 * goes through a file or the arguments of a process, which other users of the machine may read.
 */
function serve(home, isLinked, ...flags) {
  const ready = isLinked ? /^login +http.*\n.*\n/m : /^token .*\n/m;
  const link = isLinked ? '--login-link' : '--no-login-link';
  const child = spawn(process.execPath, [join(root, 'bin', 'agent-cli.js'), ...home.args, 'serve', link, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  let said = '';
  let isServing = false;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text);
    said = (said + text).slice(-4_096);
    if (isServing || !ready.test(said)) return;
    isServing = true;
    console.log(
      `\n${isLinked ? 'Open the login link in a browser of this machine' : 'Open the console and paste the token'}. Ctrl-C ends it.`,
    );
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

async function serveConsole(home, isLinked) {
  const code = await serve(home, isLinked);
  if (code !== port_taken || process.env.AGENT_PORT) return code;
  console.log('trying a free port instead');
  return serve(home, isLinked, '--port', '0');
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      home: { type: 'string' },
      'no-serve': { type: 'boolean', default: false },
      'login-link': { type: 'boolean', default: process.stdout.isTTY },
    },
  });
  const home = homeOf(values.home);
  step(1);
  prepare({ tests: false });
  step(2);
  await build();
  step(3);
  const publicKey = openHome(home);
  step(4);
  const record = exampleMission(home);
  step(5);
  await showResult(record);
  const commands = nextCommands(home, record, publicKey);
  const where = values['no-serve'] ? '' : ', in another terminal';
  if (commands.length > 0)
    console.log(`\nNext${record.state === 'review' ? ': decide, export and verify it' : ''}${where}\n\n${commands.join('\n')}\n`);
  return values['no-serve'] ? 0 : serveConsole(home, values['login-link']);
});
