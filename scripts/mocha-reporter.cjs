/** Mocha's spec output; writes the counts to AGENT_TEST_COUNTS, and ends a run that something left open keeps alive. */
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

const settle_ms = 10_000;

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      const write = () => {
        if (process.env.AGENT_TEST_COUNTS) writeFileSync(process.env.AGENT_TEST_COUNTS, JSON.stringify(counts));
      };
      write();
      setTimeout(() => {
        console.error(`the tests have ended and the process has not; still open: ${process.getActiveResourcesInfo().join(', ')}`);
        counts.failed += 1;
        write();
        process.exit(1);
      }, settle_ms).unref();
    });
  }
};
