/** The fault drill: its short version, or its long one with TEST_EFFORT=full. `scripts/drill` prints the table. */
import { deepStrictEqual, ok } from 'node:assert';
import { drill, faults } from './drill.js';

describe('a daemon under load', () => {
  it('loses nothing that it acknowledged and says what happened, whatever fault is made', async () => {
    const { rows, acknowledged } = await drill((line) => console.log(`      ${line}`));
    // How long a fault lasts depends on what else the machine does; scripts/drill judges it.
    deepStrictEqual(
      rows.flatMap(({ cause, wrong }) => wrong.map((what) => `${cause}: ${what}`)),
      [],
    );
    deepStrictEqual(
      rows.map(({ name }) => name),
      faults.map(({ name }) => name),
    );
    ok(acknowledged > 0, 'the load did nothing');
  });
});
