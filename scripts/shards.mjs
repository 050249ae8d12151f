/**
 * Runs the files of suites in several mocha processes at once. Each takes a few files of one suite; its output is printed in one piece,
 * in the order in which the processes were started, so that two runs of the same suites read alike. All suites share the processes:
 * none waits for the last file of another.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeShard, rawFolder } from './coverage.mjs';
import { node, root } from './machine.mjs';

const lanes_max = 8;
/** More processes than processors, because a file of tests uses less than half a processor: it waits for a timer, a disk or a page. */
const lanes_beyond_processors = 4;
/** Enough files that the start of a process, which loads the modules that they test (2 s), has little weight. */
const files_a_shard = 40;

const pipes_ms = 10_000;
const lanes_default = availableParallelism() < 2 ? 1 : Math.min(availableParallelism() + lanes_beyond_processors, lanes_max);

export const emptyTally = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], pending: [], seconds: {} });

export function addTally(total, { passed, failed, skipped, failures = [], pending = [], seconds = {} }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  total.failures.push(...failures);
  total.pending.push(...pending);
  for (const [file, s] of Object.entries(seconds)) total.seconds[file] = (total.seconds[file] ?? 0) + s;
}

/** Returns the shards of a suite's files that are not run alone: by size, dealt out like cards, so that every shard has large ones. */
function dealtOut(files, lanes) {
  const rest = files.map((file) => ({ file, size: statSync(join(root, file)).size }));
  const count = Math.max(Math.ceil(rest.length / files_a_shard), Math.min(rest.length, lanes));
  const dealt = Array.from({ length: count }, () => []);
  rest.sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1)).forEach(({ file }, i) => dealt[i % dealt.length].push(file));
  return dealt;
}

/** Returns the shards of all suites: first each file of `alone` by itself, in that order. */
function shardsOf(suites, alone, lanes) {
  const of = (suite, files) => ({ files, suite });
  const single = alone.flatMap((file) => suites.filter((suite) => suite.files.includes(file)).map((suite) => of(suite, [file])));
  const rest = suites.flatMap((suite) => {
    const others = suite.files.filter((file) => !alone.includes(file));
    return dealtOut(others, lanes).map((files) => of(suite, files));
  });
  return [...single, ...rest].filter(({ files }) => files.length > 0);
}

/** Returns the counts of a mocha process; one that fails without reporting any counts as one failure. */
function tallyOf(counts, status, files) {
  const tally = existsSync(counts) ? { ...emptyTally(), ...JSON.parse(readFileSync(counts, 'utf8')) } : emptyTally();
  if (status === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, failures: [`mocha ended with ${status}: ${files.join(' ')}`] };
}

/** Runs Node with its output collected; resolves to its exit code and the output. */
export function collected(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (part) => output.push(part));
    child.stderr.on('data', (part) => output.push(part));
    child.on('error', reject);
    child.on('close', () => resolve({ status: child.exitCode ?? 1, output }));
    // A process that a failed test left behind may hold the pipes open.
    child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), pipes_ms).unref());
  });
}

/** Returns a function that prints outputs in their order, each as soon as the previous ones are printed. */
function inOrder() {
  const ready = new Map();
  let next = 0;
  return (at, output) => {
    ready.set(at, output);
    for (; ready.has(next); next++) for (const part of ready.get(next)) process.stdout.write(part);
  };
}

/**
 * Runs the files of suites, each `{ name, files, env }`, and returns the sum of their counts. `args` come before the files; `alone` names
 * slow files that start first, each in a process of its own; `lanes` is the number of processes that run at once; `covers` keeps what
 * every shard covered.
 */
export async function runShards(suites, { args, alone = [], covers = false, lanes = lanes_default }) {
  const shards = lanes < 2 ? suites.map((suite) => ({ files: suite.files, suite })) : shardsOf(suites, alone, lanes);
  const scratch = mkdtempSync(join(tmpdir(), 'agent-test-'));
  const total = emptyTally();
  const countsOf = (at) => join(scratch, `${at}.json`);
  const coverageOf = (at) => (covers ? { NODE_V8_COVERAGE: rawFolder(at) } : {});
  const envOf = (at) => ({ ...shards[at].suite.env, ...coverageOf(at), AGENT_TEST_COUNTS: countsOf(at) });
  try {
    if (shards.length === 1) {
      const [{ files }] = shards;
      const status = node([...args, ...files], { env: envOf(0) });
      if (covers) await mergeShard(0);
      addTally(total, tallyOf(countsOf(0), status, files));
      return total;
    }
    const colour = process.stdout.isTTY ? ['--color'] : [];
    const print = inOrder();
    let next = 0;
    const lane = async () => {
      while (next < shards.length) {
        const at = next++;
        const { files } = shards[at];
        const ran = await collected([...args, ...colour, ...files], envOf(at));
        if (covers) await mergeShard(at);
        const tally = tallyOf(countsOf(at), ran.status, files);
        // A shard in which --grep finds no test prints nothing.
        print(at, tally.passed + tally.failed + tally.skipped === 0 ? [] : ran.output);
        addTally(total, tally);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return total;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
