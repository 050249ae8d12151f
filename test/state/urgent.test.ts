/** What stops work does not wait for a snapshot of the state to be made: it reads only the entries of what it stops. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { pause } from '../../src/app/control/control.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { cancelMission } from '../../src/app/missions/missions.js';
import { createToken, revokeToken } from '../../src/app/tokens/change.js';
import { actor } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { sharedHome, submit, temporaryHome, uuidOf, type TemporaryHome } from '../support/app/temporary-home.js';
import { atEffort } from '../support/effort.js';

const entries = atEffort(4_000, 20_000);
/** Each entry that is read is hashed, and the last tiles of the tree are: that many, however large the journal is. */
const hashes_max = 3_000;

async function makeHome(): Promise<TemporaryHome> {
  const home = temporaryHome();
  await home.with(async (opened) => {
    opened.writer.transact((tx) => {
      for (let n = 0; n < entries; n++) submit(n)(tx);
    });
    await createToken(opened, 'ci', 'viewer', actor);
  });
  tamper(home, 'DELETE FROM snapshot');
  return home;
}

/** Number of hashes that are computed until `work` has ended. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const whole = crypto.hash;
  let count = 0;
  const counting = (...args: Parameters<typeof whole>): ReturnType<typeof whole> => {
    count++;
    return whole(...args);
  };
  Object.assign(crypto, { hash: counting });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(crypto, { hash: whole });
    syncBuiltinESMExports();
  }
  return count;
}

describe(`in a home of ${entries} entries without a snapshot`, () => {
  const shared = sharedHome(makeHome);
  const works: Readonly<Record<string, (home: Home) => Promise<unknown>>> = {
    cancel: (home) => cancelMission(home, uuidOf(entries / 2), actor),
    'token revoke': (home) => revokeToken(home, 'ci', actor),
    pause: (home) => pause(home, actor),
  };
  for (const [name, work] of Object.entries(works)) {
    it(`${name} reads few of them`, async () => {
      const home = await shared.get();
      const count = await hashesOf(() => home.with(work, { isUrgent: true, tolerate: damageFaults }));
      assert.ok(count > 0 && count <= hashes_max, `${count} hashes`);
    });
  }

  it('another command reads all of them once', async () => {
    const home = await shared.get();
    const [first, second] = [
      await hashesOf(async () => home.with(() => undefined)),
      await hashesOf(async () => home.with(() => undefined)),
    ];
    assert.ok(first > entries && second <= hashes_max, `${first} and ${second} hashes`);
  });
});
