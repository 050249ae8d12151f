/** Keys of workers: added by name, removed, refuted, and which of them count. */
import assert from 'node:assert/strict';
import { acceptedKeys, addWorkerKey, listWorkerKeys, refuteWorkerKey, removeWorkerKey } from '../../src/app/jobs/keys.js';
import { rejectsRefusal } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

const [a, b] = ['a1'.repeat(32), 'b2'.repeat(32)] as const;

describe("workers' keys", () => {
  const homes = homeForEach();

  it('leave all workers of loopback until one is added; then only active ones count', async () => {
    await homes.get().with(async (home) => {
      assert.deepEqual(acceptedKeys(home), { keys: null, refuted: [] });
      await refuteWorkerKey(home, b, 'an epoch was wrong', 'daemon');
      assert.deepEqual(acceptedKeys(home), { keys: null, refuted: [b] });
      await addWorkerKey(home, a, 'rack-1', 'operator');
      assert.deepEqual(acceptedKeys(home), { keys: [a], refuted: [b] });
      await removeWorkerKey(home, a, 'operator');
      assert.deepEqual(acceptedKeys(home), { keys: [], refuted: [b] });
    });
  });

  it('are recorded once, and a refuted one is used again only after it was added again', async () => {
    await homes.get().with(async (home) => {
      await addWorkerKey(home, a, 'rack-1', 'operator');
      const { size } = home.writer.head;
      await addWorkerKey(home, a, 'rack-1', 'operator');
      assert.equal(home.writer.head.size, size);
      await refuteWorkerKey(home, a, 'an epoch was wrong', 'daemon');
      await refuteWorkerKey(home, a, 'an epoch was wrong', 'daemon');
      assert.equal(home.writer.head.size, size + 1);
      assert.deepEqual(
        listWorkerKeys(home).items.map(({ name, state }) => [name, state]),
        [['rack-1', 'refuted']],
      );
      await addWorkerKey(home, a, 'rack-1', 'operator');
      assert.deepEqual(acceptedKeys(home), { keys: [a], refuted: [] });
    });
  });

  it('are refused when they are no keys, are there under another name, or share a name', async () => {
    await homes.get().with(async (home) => {
      await addWorkerKey(home, a, 'rack-1', 'operator');
      await rejectsRefusal(addWorkerKey(home, 'A1', 'rack-2', 'operator'), 'invalid');
      await rejectsRefusal(addWorkerKey(home, b, 'no name', 'operator'), 'invalid');
      await rejectsRefusal(addWorkerKey(home, a, 'rack-2', 'operator'), 'exists');
      await rejectsRefusal(addWorkerKey(home, b, 'rack-1', 'operator'), 'exists');
      await rejectsRefusal(removeWorkerKey(home, b, 'operator'), 'not_found');
    });
  });
});
