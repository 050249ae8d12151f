/** The fault drill: its short version, or its long one with TEST_EFFORT=full. `scripts/drill` prints the table. @slow */
import { deepStrictEqual, ok } from 'node:assert';
import { atEffort } from '../support/effort.js';
import { drill, faults } from './drill.js';

/**
 * By default one attack of those that are alike: guesses without anonymous, non-reading without csv, nested and large-bodies; and not what other
 * tests hold with a daemon of their own: FIFOs (test/home), weak tokens and protocols (test/http).
 */
const left_out: readonly string[] = atEffort(['anonymous', 'large-bodies', 'nested', 'csv', 'fifo', 'weak-token', 'rtsp'], []);
/**
 * The load and the attacks of scripts/drill take more than half of the processor time; 50 results that nobody reads are half a gigabyte too, which no
 * daemon may hold.
 */
const load = atEffort({ pause_ms: 2_000, one_in: 8 }, undefined);

describe('a daemon under load', () => {
  it('loses nothing that it acknowledged and reports what happened, whatever fault is made', async () => {
    const chosen = faults.filter(({ name }) => !left_out.includes(name));
    const { rows, acknowledged } = await drill((line) => console.log(`      ${line}`), chosen, load);
    // How long a fault lasts depends on what else the machine does; scripts/drill judges it.
    deepStrictEqual(
      rows.flatMap(({ cause, wrong }) => wrong.map((what) => `${cause}: ${what}`)),
      [],
    );
    deepStrictEqual(
      rows.map(({ name }) => name),
      chosen.map(({ name }) => name),
    );
    ok(acknowledged > 0, 'the load did nothing');
  });
});
