/** Another connection's commits are seen at once by who asks now, and within one turn nobody else asks again. */
import assert from 'node:assert/strict';
import { dataVersionOf } from '../../src/store/data-version.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const homes = homeForEach();
const commitElsewhere = (n: number): void => homes.get().with((other) => void other.writer.transact(submit(n)));
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('data version', () => {
  homes.it('returns another version with now() as soon as another connection has committed', async ({ db }) => {
    const version = dataVersionOf(db);
    const first = version.now();
    assert.equal(version.now(), first);
    commitElsewhere(1);
    const second = version.now();
    assert.notEqual(second, first);
    assert.equal(version.lately(), second);
  });

  homes.it('returns the same version with lately() within a turn, and reads it again in the next turn', async ({ db }) => {
    const version = dataVersionOf(db);
    const first = version.now();
    commitElsewhere(1);
    assert.equal(version.lately(), first);
    await nextTurn();
    const second = version.lately();
    assert.notEqual(second, first);
    // Nobody asked for now: it is not kept.
    commitElsewhere(2);
    assert.notEqual(version.lately(), second);
  });

  it('has one reader per connection', async () => {
    await homes.get().with(async ({ db }) => assert.equal(dataVersionOf(db), dataVersionOf(db)));
  });
});
