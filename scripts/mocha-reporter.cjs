/**
 * Mocha's spec output; writes the counts and the titles of what failed and was skipped to AGENT_TEST_COUNTS, and ends a run that
 * something left open keeps alive.
 */
const { writeFileSync } = require('node:fs');
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

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    refuseHooksOfAll(runner.suite);
    const pending = [];
    const seconds = secondsByFile(runner);
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
