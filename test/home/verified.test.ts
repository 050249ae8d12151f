/** What is remembered of verifications beside the witness file: damage that one command met is refused by the next ones until it is repaired. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../src/app/control/control.js';
import { damageFaults, type Home } from '../../src/app/home/home.js';
import { openHome } from '../../src/app/home/open.js';
import { openAsIs } from '../../src/app/home/read-only.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { remembered } from '../../src/app/home/witness.js';
import { verifyHome } from '../../src/app/log/verify-home.js';
import { cancelMission, listPage, showMission } from '../../src/app/missions/missions.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { statusReader } from '../../src/app/operator/status.js';
import { revokeToken } from '../../src/app/tokens/change.js';
import { witnessFile } from '../../src/home/paths.js';
import { actor, throwsRefusal } from '../support/app/given-home.js';
import { daemonsForEach } from '../support/app/given-daemon.js';
import { type MixedHome, mixedHome, tamper } from '../support/app/mixed-home.js';
import { copyTree, type TemporaryHome } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';

const tolerate = ['config', 'witness', ...damageFaults] as const;
const quiet = (): undefined => undefined;
const passed = '2026-11-20T05:00:00.000000Z';

let given: MixedHome;
const homes = { get: (): TemporaryHome => given.home };

/** Gives each test of a suite a home of its own. */
function mixedHomeForEach(): void {
  beforeEach(async () => void (given = await mixedHome()));
  afterEach(() => given.home.remove());
}

const setGoal = (from: string, to: string): void =>
  tamper(homes.get(), (db) => void db.prepare('UPDATE mission SET goal = ? WHERE goal = ?').run(to, from));
const setBody = (from: string, to: string): void =>
  tamper(homes.get(), (db) =>
    withoutTriggers(db, () => void db.prepare('UPDATE events SET body = replace(body, ?, ?) WHERE seq > 1').run(from, to)),
  );

/** Verifies the home as `verify` does. Returns whether it passed. */
async function verify(): Promise<boolean> {
  const home = openAsIs(homes.get().world, { tolerate });
  try {
    return (await verifyHome(home, { deep: false })).valid;
  } finally {
    home.close();
  }
}

/** Alters a row, lets a command meet it, and puts the right one back: nothing but the memory of it is left. */
function meetTableDamage(): void {
  homes.get();
  setGoal('repeat', 'other');
  homes.get().with((home) => throwsRefusal(() => showMission(home, given.missions.queued), 'integrity'));
  setGoal('other', 'repeat');
}

/** The same with an entry that a verification meets. */
async function meetEntryDamage(): Promise<void> {
  homes.get();
  setBody('look at it', 'look at us');
  assert.equal(await verify(), false);
  setBody('look at us', 'look at it');
}

const fileOf = ({ witness }: TemporaryHome): string =>
  `${witnessFile(
    witness,
    homes.get().with(({ writer }) => writer.origin, { tolerate }),
  )}.verified`;
const known = ({ world, writer }: Home): ReturnType<typeof remembered> => remembered({ world, origin: writer.origin });
const isRefused = (): void => void throwsRefusal(() => homes.get().open(), 'integrity');
const isOpened = (): void => homes.get().open().close();

describe('damage that a command met', () => {
  mixedHomeForEach();

  it('is refused by the commands after it, also where they would not meet it, with its repair', async () => {
    meetTableDamage();
    const refusal = throwsRefusal(() => homes.get().open(), 'integrity');
    assert.equal(refusal.hint, 'agent-cli rebuild');
    assert.ok(refusal.facts?.['table'] !== undefined);
  });

  for (const [what, meet] of [
    ['a table', meetTableDamage],
    ['an entry', meetEntryDamage],
  ] as const)
    it(`lets what was signed be shown and work be stopped: of ${what}`, async () => {
      await meet();
      isRefused();
      await homes.get().with(
        async (home) => {
          assert.equal(listPage(home, {}).items.length, 3);
          assert.equal(showMission(home, given.missions.queued).goal, 'repeat');
          assert.equal((await cancelMission(home, given.missions.queued, actor)).state, 'failed');
          assert.equal((await revokeToken(home, 'ci', actor)).state, 'revoked');
          await pause(home, actor);
          assert.ok(home.damage.found().length > 0);
        },
        { tolerate },
      );
      isRefused();
    });

  it('is forgotten by a verification that passes, which doctor then names', async () => {
    await meetEntryDamage();
    isRefused();
    assert.equal(await verify(), true);
    homes.get().with((home) => {
      assert.deepEqual(known(home), { passed_at: passed, damage: null });
      const check = inspectHome(home).checks.find(({ name }) => name === 'verification');
      assert.deepEqual(check, { name: 'verification', status: 'ok', detail: `the whole journal passed at ${passed}`, fix: null });
    });
  });

  it('is forgotten by a rebuild when it is of tables, and not when it is of an entry', async () => {
    meetTableDamage();
    homes.get().with((home) => rebuildHome(home, quiet), { tolerate: ['config', 'schema', 'tables'] });
    isOpened();
    await meetEntryDamage();
    homes.get().with((home) => rebuildHome(home, quiet), { tolerate });
    isRefused();
  });

  it('is not that of a copy of the home elsewhere', () => {
    homes.get();
    const { root, directory, world } = homes.get();
    const other = join(root, 'elsewhere');
    copyTree(directory, other);
    meetTableDamage();
    isRefused();
    const copied = { ...world, directory: other };
    openHome(copied).close();
  });

  for (const [what, spoil] of [
    ['is no JSON', (file: string) => writeFileSync(file, '{')],
    ['has another form', (file: string) => writeFileSync(file, '{"home":1}')],
    ['is not UTF-8', (file: string) => writeFileSync(file, Buffer.of(0xff, 0xfe))],
    ['is too long', (file: string) => writeFileSync(file, ' '.repeat(1_048_577))],
    ['is missing', (file: string) => rmSync(file)],
    ['is a directory', (file: string) => (rmSync(file), mkdirSync(file))],
  ] as const)
    it(`is not known from a file that ${what}, which a later command replaces if it can`, async () => {
      meetTableDamage();
      const file = fileOf(homes.get());
      assert.match(readFileSync(file, 'utf8'), /"damage":\{/);
      spoil(file);
      isOpened();
      assert.equal(await verify(), true);
      homes.get().with((home) => assert.equal(known(home).passed_at, what === 'is a directory' ? null : passed));
    });

  it('changes nothing where it cannot be noted', () => {
    mkdirSync(fileOf(homes.get()), { recursive: true });
    meetTableDamage();
    isOpened();
  });
});

describe('the status of a daemon', () => {
  mixedHomeForEach();

  const daemons = daemonsForEach();

  it('has the time of the last verification that passed until its own first one has ended', async () => {
    assert.equal(await verify(), true);
    homes.get().clock.now += 60_000;
    const daemon = await daemons.start(homes.get());
    const { valid, verified_at } = statusReader(daemon)({ name: 'me', role: 'admin' }).journal;
    assert.deepEqual([valid, verified_at], [null, passed]);
  });
});
