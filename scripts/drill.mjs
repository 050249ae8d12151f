/**
 * scripts/drill [NAME…]: the fault drill, or these faults of it. One real daemon serves clients that submit, execute and review missions and run
 * simulations, while each fault is made in turn: kills, clients that do not read, sockets that send blanks, a disk that fills, JSON
 * that is slow to read, a clock that is set, an altered table, a FIFO in place of a file, floods, no file descriptors. It prints a
 * table: cause, effect, seconds until normal service, acknowledged work that was lost, and what the user is told.
 *
 * It fails if acknowledged work is lost or doubled, if a fault has an effect that it must not have, if it took too long (measured
 * against an undisturbed mission in the same run), or if nobody was told. TEST_EFFORT=full: 100 kills, 1000 clients, longer attacks.
 * REQUIRE_REAL=1: a fault that this machine cannot make is a failure (the full disk needs root, to mount a tmpfs).
 */
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { headOf, main, prepare, Stop } from './machine.mjs';

await main(async () => {
  const options = { help: { type: 'boolean', default: false } };
  const { values, positionals: names } = parseArgs({ options, allowPositionals: true });
  if (values.help) return console.log(headOf(import.meta.url));
  prepare();
  await build();
  const { drill, faults, tableOf } = await import('../dist/test/drill/drill.js');
  const known = faults.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Stop(`no such fault: ${unknown.join(', ')} (there are: ${known.join(', ')})`, 2);
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name));
  const { rows } = await drill((line) => console.log(line), chosen);
  for (const line of ['', ...tableOf(rows)]) console.log(line);
  const failed = rows.filter(({ wrong, isLate }) => wrong.length > 0 || isLate);
  for (const { cause, wrong } of failed) console.error(`failed: ${cause}: ${wrong.join('; ') || 'it took too long'}`);
  return failed.length === 0 ? 0 : 1;
});
