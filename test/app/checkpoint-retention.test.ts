/** Only the newest checkpoint and those that a witness cosigned are kept. */
import assert from 'node:assert/strict';
import type { Home } from '../../src/app/home/home.js';
import { checkpoint, cosignedCheckpoint } from '../../src/app/log/checkpoint.js';
import { addWitness } from '../../src/app/log/witness.js';
import { noteAt } from '../../src/journal/reader.js';
import { checkpointSizes } from '../journal/inspect.js';
import { findingOf } from '../journal/tamper.js';
import { homeForEach, submit } from '../support/temporary-home.js';
import { witnessServer, type WitnessServer } from '../support/witness-server.js';
import { backup, restore, withHome, worldBeside } from './backup/archives.js';

const homes = homeForEach();
const servers: WitnessServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Opens a home that has one witness, which cosigned the checkpoint of size 2. */
async function withWitness(work: (home: Home, server: WitnessServer) => Promise<void>): Promise<void> {
  const home = homes.get().open();
  try {
    const server = await witnessServer([checkpoint(home, undefined).vkey]);
    servers.push(server);
    await addWitness(home, { url: server.url, vkey: server.vkey, actor: 'me' });
    await work(home, server);
  } finally {
    home.close();
  }
}

const grow = ({ writer }: Home, to: number): void => {
  while (writer.head.size < to) writer.transact(submit(writer.head.size));
};
const verifies = async (): Promise<void> => {
  for (const deep of [false, true]) assert.equal(await findingOf(homes.get(), { deep }), null);
};

describe('checkpoints', () => {
  it('are kept as long as they are the newest, or cosigned', async () => {
    await withWitness(async (home) => {
      grow(home, 5);
      assert.deepEqual(checkpointSizes(home), [2, 5]);
      await cosignedCheckpoint(home, undefined);
      grow(home, 300);
      assert.deepEqual(checkpointSizes(home), [2, 5, 300]);
    });
    await verifies();
  });

  it('are stored again when the cosignature arrives after the next transaction', async () => {
    await withWitness(async (home) => {
      grow(home, 5);
      const note = noteAt(home.db, 5);
      const asked = cosignedCheckpoint(home, undefined);
      grow(home, 7);
      assert.deepEqual(checkpointSizes(home), [2, 7]);
      assert.deepEqual((await asked).warnings, []);
      assert.deepEqual(checkpointSizes(home), [2, 5, 7]);
      assert.equal(noteAt(home.db, 5), note);
    });
    await verifies();
  });

  it('cannot be deleted when they are the newest or cosigned, nor inserted out of order without a cosignature', () =>
    withWitness((home) => {
      grow(home, 5);
      const note = noteAt(home.db, 5);
      for (const sql of [
        'DELETE FROM checkpoint WHERE size = 2',
        'DELETE FROM checkpoint WHERE size = 5',
        `INSERT INTO checkpoint VALUES (4, '${note}')`,
        `INSERT OR REPLACE INTO checkpoint VALUES (2, '${note}')`,
        `UPDATE checkpoint SET note = '' WHERE size = 2`,
        'UPDATE checkpoint SET size = 3 WHERE size = 2',
      ])
        assert.throws(() => home.db.exec(sql), { code: /^SQLITE_CONSTRAINT/ }, sql);
      return Promise.resolve();
    }));

  it('are verified when an archive is restored, and only the newest, uncosigned one is kept', async () => {
    await withWitness((home) => Promise.resolve(grow(home, 5)));
    const { file } = await backup(homes.get());
    const world = worldBeside(homes.get());
    assert.equal((await restore(world, file)).events, 6);
    assert.deepEqual(
      withHome(world, (home) => checkpointSizes(home)),
      [6],
    );
    assert.equal(await findingOf({ ...homes.get(), directory: world.directory, world }, { deep: true }), null);
  });
});
