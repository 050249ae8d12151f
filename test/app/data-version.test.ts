/** Another connection's commits are seen at once. */
import assert from 'node:assert/strict';
import { dataVersion } from '../../src/store/database.js';
import { homeForEach, submit } from '../support/app/temporary-home.js';

const homes = homeForEach();

describe('data version', () => {
  homes.it('changes as soon as another connection has committed', async ({ db }) => {
    const first = dataVersion(db);
    assert.equal(dataVersion(db), first);
    homes.get().with((other) => void other.writer.transact(submit(1)));
    assert.notEqual(dataVersion(db), first);
  });
});
