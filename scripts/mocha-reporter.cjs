/**
 * Mocha's spec output; writes the counts and the titles of what failed and was skipped to AGENT_TEST_COUNTS, and ends a run that
 * something left open keeps alive.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const path = require('node:path');
const { reporters, Runner } = require('mocha');

/** As every limit in tests, only to end a hang: a loaded machine takes its time to end a browser or a thread. */
const settle_ms = 60_000;

/**
 * Refuses hooks at the top of a file: mocha runs them before each test of every file of the process, which costs minutes where one
 * prepares a home.
 */
function refuseHooksOfAll({ _beforeEach: hooks }) {
  if (hooks.length > 0)
    throw new Error(`a beforeEach outside every describe runs before the tests of all files: ${hooks[0].body}`);
}

/**
 * Returns the seconds that each file takes, filled while the runner works: the time since the previous test ended belongs to the
 * file of the test that ends, its hooks included.
 */
function secondsByFile(runner) {
  const seconds = {};
  let previous = performance.now();
  runner.on(Runner.constants.EVENT_TEST_END, ({ file }) => {
    const now = performance.now();
    const name = path.relative(process.cwd(), file);
    seconds[name] = (seconds[name] ?? 0) + (now - previous) / 1000;
    previous = now;
  });
  return seconds;
}

const frame = /(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g;

/** Names a place of compiled code by its source. */
function inSource(place, file, line, column) {
  const map = `${file}.map`;
  if (!existsSync(map)) return place;
  const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(Number(line) - 1, Number(column) - 1);
  if (entry.originalSource === undefined) return place;
  return `${path.resolve(path.dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/**
 * Gives an error, and what caused it, the places of the sources. Node can do so for every error (--enable-source-maps), but then it reads the
 * map of every module, in every process and thread: a tenth of what most tests take.
 */
function mapStacks(error) {
  if (!(error instanceof Error)) return;
  error.stack = error.stack?.replace(frame, inSource);
  mapStacks(error.cause);
}

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    refuseHooksOfAll(runner.suite);
    const pending = [];
    const seconds = secondsByFile(runner);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (_, error) => mapStacks(error));
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => pending.push(test.fullTitle()));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { stats } = runner;
      const counts = {
        passed: stats.passes,
        failed: stats.failures,
        skipped: stats.pending,
        failures: this.failures.map((test) => test.fullTitle()),
        pending,
        seconds,
      };
      const write = () => {
        if (process.env.AGENT_TEST_COUNTS) writeFileSync(process.env.AGENT_TEST_COUNTS, JSON.stringify(counts));
      };
      write();
      setTimeout(() => {
        const open = process.getActiveResourcesInfo().join(', ');
        console.error(`the tests have ended and the process has not; still open: ${open}`);
        counts.failed += 1;
        counts.failures.push(`something was left open: ${open}`);
        write();
        process.exit(1);
      }, settle_ms).unref();
    });
  }
};
