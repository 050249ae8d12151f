/**
 * scripts/fuzz: gives the program inputs that nobody would send, and fails if an invariant does not hold after one of them. Real daemons and
 * commands take them: bytes and JSON over HTTP, files, rows of the journal, messages of the bus, frames of the progress socket.
 *
 *   scripts/fuzz                       every target, 30 s each, with a random seed
 *   scripts/fuzz --target http         one target; may be repeated (--list names them, with their invariants)
 *   scripts/fuzz --seed 7 --cases 500  the same 500 inputs each time; --first N begins with input N
 *   scripts/fuzz --seconds 600         how long each target takes
 *   scripts/fuzz --again FILE          gives the target an input that was kept
 *
 * It prints the seed. An input after which something is wrong is kept in fuzz-failures/ (--output DIRECTORY) as
 * TARGET-SEED-NUMBER.bin, and the exit code is 1.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { headOf, main, numberOf, prepare, Stop } from './machine.mjs';

const options = {
  help: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  seed: { type: 'string' },
  first: { type: 'string', default: '0' },
  cases: { type: 'string' },
  seconds: { type: 'string' },
  target: { type: 'string', multiple: true },
  output: { type: 'string', default: 'fuzz-failures' },
  again: { type: 'string' },
};
const seconds_default = 30;

function chosen(targets, names) {
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0)
    throw new Stop(`no such target: ${unknown.join(', ')} (there are: ${targets.map(({ name }) => name).join(', ')})`, 2);
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name));
}

/** Gives the target of a kept input that input. */
async function repeat(file, { targets, again }) {
  const [target] = chosen(targets, [basename(file).replace(/-.*$/, '')]);
  const wrong = await again(target, readFileSync(file));
  for (const line of wrong) console.error(line);
  console.log(wrong.length === 0 ? `${target.name}: every invariant holds` : `${target.name}: FAILED`);
  return wrong.length === 0 ? 0 : 1;
}

await main(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(headOf(import.meta.url));
  const [seed, first, cases] = [numberOf(values, 'seed', 2 ** 32 - 1), numberOf(values, 'first'), numberOf(values, 'cases')];
  const seconds = numberOf(values, 'seconds') ?? (cases === undefined ? seconds_default : undefined);
  prepare();
  await build();
  const fuzzer = await import('../dist/test/fuzz/fuzz.js');
  if (values.list) {
    for (const { name, what, invariants } of fuzzer.targets)
      console.log([`${name.padEnd(8)} ${what}`, ...invariants.map((line) => `           - ${line}`)].join('\n'));
    return 0;
  }
  if (values.again !== undefined) return repeat(resolve(values.again), fuzzer);
  const fuzzed = await fuzzer.fuzz(chosen(fuzzer.targets, values.target ?? []), {
    seed: seed ?? randomInt(2 ** 32),
    first,
    cases_max: cases ?? Number.POSITIVE_INFINITY,
    ms_max: seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1_000,
    folder: resolve(values.output),
    print: (line) => console.log(line),
  });
  const failed = fuzzed.filter(({ failures }) => failures.length > 0);
  for (const line of ['', ...fuzzer.tableOf(fuzzed)]) console.log(line);
  return failed.length === 0 ? 0 : 1;
});
