/**
 * scripts/soak: mixed load on a real daemon for 30 minutes: missions of all kinds are submitted, executed, reviewed and exported, simulation
 * runs followed on sockets, lists read, envelopes sent to the bus, backups made by commands beside. Meanwhile the daemon is killed with
 * kill -9, or stopped, at random times and started again.
 *
 *   scripts/soak                30 minutes, with a random seed
 *   scripts/soak --minutes 5    a shorter one; --seconds 90 too
 *   scripts/soak --seed 7       the same times of kills and stops
 *   scripts/soak --kills 30     at least so many kills, however long they take
 *   scripts/soak --no-code      no code missions; without a container engine there are none anyway
 *
 * It prints its progress with the time that remains, and tables at the end. The exit code is 1 if anything that was acknowledged is lost or
 * recorded twice, an operation failed that no kill cut off, the journal does not verify, or memory or file handles grew.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { headOf, main, numberOf, prepare } from './machine.mjs';

const options = {
  help: { type: 'boolean', default: false },
  minutes: { type: 'string' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  kills: { type: 'string' },
  'no-code': { type: 'boolean', default: false },
};
const minutes_default = 30;
const minutes_max = 100_000;
const seconds_max = minutes_max * 60;
const kills_max = 100_000;
const progress_ms = 10_000;

await main(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(headOf(import.meta.url));
  const minutes = numberOf(values, 'minutes', minutes_max);
  const seconds = numberOf(values, 'seconds', seconds_max) ?? (minutes ?? minutes_default) * 60;
  const seed = numberOf(values, 'seed', 2 ** 32 - 1) ?? randomInt(2 ** 32);
  const kills_min = numberOf(values, 'kills', kills_max);
  prepare();
  await build();
  const { soak } = await import('../dist/test/soak/soak.js');
  const { tablesOf } = await import('../dist/test/soak/report.js');
  const print = (line) => console.log(line);
  const report = await soak({ seed, ms: seconds * 1_000, kills_min, code: !values['no-code'], print, progress_ms });
  for (const line of ['', ...tablesOf(report)]) print(line);
  for (const line of report.wrong) console.error(`failed: ${line}`);
  return report.wrong.length === 0 ? 0 : 1;
});
