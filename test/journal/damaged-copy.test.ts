/** Copies of a home that share its witness file: one that is damaged leaves the file alone, and a daemon notices one that goes on beside it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pause } from '../../src/app/control/control.js';
import { damageFaults, type Home, type World } from '../../src/app/home/home.js';
import { openHome } from '../../src/app/home/open.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { daemonsForEach, until, verified } from '../support/app/given-daemon.js';
import { actor, queued, rejectsRefusal } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { copyTree, homeForEach, submit } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { refusalAtOpen, witnessed } from './tamper.js';

const daemons = daemonsForEach();
const homes = homeForEach();
const everything = { tolerate: ['config', 'permissions', ...damageFaults] } as const;

/** Returns the world of a copy of the home, under the same witness directory. */
function copied(): World {
  const { root, directory, world } = homes.get();
  const copy = join(root, 'copy');
  copyTree(directory, copy);
  return { ...world, directory: copy };
}

async function inCopy<A>(world: World, work: (home: Home) => A, options = {}): Promise<Awaited<A>> {
  const home = openHome(world, options);
  try {
    return await work(home);
  } finally {
    home.close();
  }
}

const damages: Readonly<Record<string, string>> = {
  'a row': "UPDATE mission SET goal = 'forged' WHERE revision = 2",
  'a row added': "INSERT INTO worker SELECT printf('%064d', 7), 'rack', 'active', updated_at, 2 FROM mission WHERE revision = 2",
  'an entry': "UPDATE events SET body = replace(body, 'mission 1', 'mission 9')",
  'the schema': 'CREATE TABLE foreign_table(a)',
};

describe('a damaged copy', () => {
  for (const [what, change] of Object.entries(damages))
    it(`does not advance the witness file of the good home: ${what}`, async () => {
      homes.get().with(({ writer }) => writer.transact(submit(1)));
      const copy = copied();
      const ahead = { ...copy, env: { ...copy.env, AGENT_WITNESS: join(homes.get().root, 'elsewhere') } };
      await inCopy(ahead, ({ writer }) => writer.transact(submit(2)));
      tamper(copy, (db) => withoutTriggers(db, () => db.exec(change)));
      const before = witnessed(homes.get());
      const found = await inCopy(copy, (home) => inspectHome(home).checks.filter(({ status }) => status === 'fail'), everything);
      assert.equal(found.length, 1);
      assert.deepEqual(witnessed(homes.get()), before, 'by doctor');
      // What pause does not read, it does not know.
      if (!what.startsWith('a row')) await inCopy(copy, (home) => pause(home, actor), everything);
      assert.deepEqual(witnessed(homes.get()), before);
      assert.equal(refusalAtOpen(homes.get()), null);
    });
});

describe('a daemon beside a copy that goes on under the same witness file', () => {
  it('compares before it writes the file, counts the journal as damaged, and keeps the file', async () => {
    let failed = 0;
    const daemon = await daemons.start(homes.get(), {
      ...verified,
      raise: ({ type }) => void (type === 'journal_failed' && failed++),
    });
    await until(() => daemon.verification().valid === true);
    await inCopy(copied(), ({ writer }) => [submit(1), submit(2), submit(3)].map((command) => writer.transact(command)));
    const before = witnessed(homes.get());
    await queued(daemon.home);
    await until(() => daemon.verification().valid === false, 'the daemon notices');
    assert.match(daemon.verification().failure ?? '', /^the journal ends at entry 2, but .* covers 4/);
    assert.deepEqual([failed, daemon.warnings.length, witnessed(homes.get())], [1, 1, before]);
    await rejectsRefusal(queued(daemon.home), 'integrity');
    await daemon.stop();
    assert.deepEqual(witnessed(homes.get()), before);
    assert.equal(refusalAtOpen(homes.get())?.code, 'rollback');
  });

  it('names a fork of the same length', async () => {
    const daemon = await daemons.start(homes.get(), verified);
    await until(() => daemon.verification().valid === true);
    await inCopy(copied(), ({ writer }) => writer.transact(submit(1)));
    await queued(daemon.home);
    await until(() => daemon.verification().valid === false, 'the daemon notices');
    assert.match(daemon.verification().failure ?? '', /the journal was forked$/);
  });
});
