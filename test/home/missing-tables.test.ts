/** Files and tables of a home that are missing, damaged or defined otherwise: a refusal that names them, and what repairs them. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/sqlite.js';
import type { VerifyReport } from '../../src/app/log/verify-home.js';
import { journal_tables } from '../../src/base/damage.js';
import type { WithWarnings } from '../../src/cli/warnings.js';
import type { MissionPage, MissionRecord } from '../../src/codec/api-missions.js';
import type { DoctorReport } from '../../src/codec/api-status.js';
import { projectors } from '../../src/tables/projections.js';
import { Operator, type Said } from '../support/crash/crash-cli.js';
import { plan } from '../support/cli/cli-run.js';
import { fullEffort } from '../support/effort.js';
import { damageFaults } from '../../src/app/home/home.js';
import { openForDoctor } from '../../src/app/home/read-only.js';
import { rebuildHome } from '../../src/app/home/rebuild.js';
import { inspectHome } from '../../src/app/operator/doctor.js';
import { rotateToken } from '../../src/app/tokens/change.js';
import { actor, throwsRefusal } from '../support/app/given-home.js';
import { tamper } from '../support/app/mixed-home.js';
import { copyTree, folderForSuite, homeForEach, submit } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { inDatabase } from '../support/store/in-database.js';

const projectionTables = projectors.flatMap(({ tables }) => tables);

describe('a table of the journal that is missing or altered', () => {
  const root = folderForSuite();
  const env = { AGENT_HOME: join(root, 'home'), AGENT_WITNESS: join(root, 'witness') };
  const copies = [
    [join(root, 'whole'), env.AGENT_HOME],
    [join(root, 'whole-witness'), env.AGENT_WITNESS],
  ] as const;
  let operator: Operator;
  let mission = '';

  const run = (...argv: readonly string[]): Promise<Said> => operator.run(argv, env);
  const accepted = async (...argv: readonly string[]): Promise<Record<string, unknown>> => {
    const said = await run(...argv);
    assert.equal(said.code, 0, `${argv.join(' ')}: ${said.stderr}`);
    return said.value ?? {};
  };

  /** Returns the document of a check that failed with exit code 3. */
  const answeredNo = async <A>(...argv: readonly string[]): Promise<A> => {
    const { code, value, stderr } = await run(...argv);
    assert.equal(code, 3, `${argv.join(' ')}: ${stderr}`);
    return value as A;
  };

  const damage = (sql: string): void => {
    inDatabase(join(env.AGENT_HOME, 'journal.sqlite3'), (db) => db.exec(sql));
  };

  /** The command refuses with `integrity`, names the table, and gives this hint. */
  const refused = async (table: string, hint: string, ...argv: readonly string[]): Promise<void> => {
    const { code, value, stderr } = await run(...argv);
    assert.deepEqual([code, value], [3, null], `${argv[0]}: ${stderr}`);
    const line = stderr.split('\n').find((text) => text.startsWith('{')) ?? '';
    const refusal = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([refusal['code'], refusal['hint']], ['integrity', hint], argv[0]);
    assert.match(String(refusal['detail']), new RegExp(`\\b${table}\\b`), argv[0]);
  };

  before(async () => {
    operator = new Operator();
    fs.writeFileSync(join(root, 'plan.json'), JSON.stringify(plan));
    await accepted('init');
    mission = String((await accepted('run', join(root, 'plan.json'), '--execute'))['id']);
    await accepted('tool', 'status', 'backup', '--set', 'disabled', '--note', 'no backups');
    for (const [copy, original] of copies) copyTree(original, copy);
  });

  beforeEach(() => {
    for (const [copy, original] of copies) {
      fs.rmSync(original, { recursive: true });
      copyTree(copy, original);
    }
  });

  after(() => operator.stop());

  const checkRepaired = async (): Promise<void> => {
    await accepted('rebuild');
    assert.equal((await accepted('verify', '--deep'))['valid'], true);
    for (const argv of [['list'], ['show', mission], ['doctor']]) await accepted(...argv);
  };

  const damages: readonly (readonly [string, (table: string) => string])[] = [
    ['dropped', (table) => `DROP TABLE ${table}`],
    ['renamed', (table) => `ALTER TABLE ${table} RENAME TO ${table}_old`],
    ['replaced by a view', (table) => `DROP TABLE ${table}; CREATE VIEW ${table} AS SELECT 1 AS id`],
    ['made with another column', (table) => `ALTER TABLE ${table} ADD COLUMN extra TEXT`],
  ];
  // By default each table has one of the damages, and each damage a few of the tables. With TEST_EFFORT=full all have all.
  for (const [i, table] of projectionTables.entries()) {
    for (const [how, sql] of damages.filter((_, j) => fullEffort || i % damages.length === j)) {
      it(`is named while ${table} is ${how}: list and show print what was signed, pause works, others refuse, rebuild makes it again`, async () => {
        damage(sql(table));
        for (const argv of [
          ['token', 'list'],
          ['export', mission, '--output', join(root, 'x.json')],
        ])
          await refused(table, 'agent-cli rebuild', ...argv);
        const warning = new RegExp(`^this home is damaged: .*\\b${table}\\b.*; run: agent-cli rebuild$`);
        const { items, warnings } = await answeredNo<WithWarnings<MissionPage>>('list');
        assert.deepEqual([items.map(({ id, goal }) => [id, goal]), warnings?.length], [[[mission, plan.goal]], 1]);
        const shown = await answeredNo<WithWarnings<MissionRecord>>('show', mission);
        assert.deepEqual([shown.goal, shown.state], [plan.goal, 'review']);
        for (const each of [warnings, shown.warnings]) assert.match(each?.[0] ?? '', warning);
        assert.equal((await accepted('pause'))['state'], 'paused');
        const { valid, failure } = await answeredNo<VerifyReport>('verify');
        assert.deepEqual([valid, failure?.code], [false, 'integrity']);
        assert.match(failure?.detail ?? '', new RegExp(`\\b${table}\\b.*agent-cli rebuild`));
        const { checks } = await answeredNo<DoctorReport>('doctor');
        const journal = checks.find(({ name }) => name === 'journal');
        assert.deepEqual([journal?.status, journal?.fix], ['fail', 'agent-cli rebuild']);
        assert.match(journal?.detail ?? '', new RegExp(`\\b${table}\\b`));
        await checkRepaired();
      });
    }
  }

  it('rebuilds all of them at once, with their rows of the table projection', async () => {
    damage(`${projectionTables.map((table) => `DROP TABLE ${table};`).join('')} DELETE FROM projection`);
    await checkRepaired();
  });

  for (const { name } of projectors) {
    it(`rebuilds the projection ${name} without its row of the table projection, its tables renamed`, async () => {
      const tables = projectors.find((projector) => projector.name === name)?.tables ?? [];
      const renamed = tables.map((table) => `ALTER TABLE ${table} RENAME TO lost_${table};`).join('');
      damage(`${renamed} DELETE FROM projection WHERE name = '${name}'`);
      await checkRepaired();
    });
  }

  it('removes what is not a table of the journal, and reports it', async () => {
    damage('CREATE TABLE "a table" (x); CREATE VIEW foreign_view AS SELECT 1; CREATE INDEX mission_parent_2 ON mission(goal)');
    const { warnings } = await accepted('rebuild');
    assert.deepEqual(warnings, [
      'removed the table "a table", which is not part of the journal',
      'removed the view "foreign_view", which is not part of the journal',
      'removed the index "mission_parent_2", which is not part of the journal',
    ]);
    assert.equal((await accepted('verify', '--deep'))['valid'], true);
    assert.equal('warnings' in (await accepted('rebuild')), false);
  });

  for (const table of journal_tables) {
    it(`refuses every command while ${table} is missing, which nothing can make again`, async () => {
      damage(`DROP TABLE ${table}`);
      for (const argv of [['list'], ['show', mission], ['verify'], ['doctor'], ['rebuild'], ['serve']])
        await refused(table, 'agent-cli restore --help', ...argv);
    });
  }

  it('knows all tables that the migrations make', () => {
    const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    const made = inDatabase(join(env.AGENT_HOME, 'journal.sqlite3'), (db) => db.prepare<[], string>(sql).pluck().all());
    assert.deepEqual(new Set(made), new Set([...journal_tables, ...projectionTables]));
  });
});

const homes = homeForEach();
const tolerate = ['config', 'witness', 'permissions', ...damageFaults] as const;
const file = (name: string): string => join(homes.get().directory, name);

describe('doctor', () => {
  const permissions = (): unknown =>
    homes.get().with((home) => inspectHome(home).checks.find(({ name }) => name === 'permissions'), { tolerate });

  for (const [what, text] of [
    ['empty', ''],
    ['cut short', 'abc\n'],
  ] as const)
    it(`names an api.token that is ${what}, and what replaces it`, async () => {
      fs.writeFileSync(file('api.token'), text);
      const detail = `${file('api.token')} holds no token`;
      assert.deepEqual(permissions(), { name: 'permissions', status: 'fail', detail, fix: 'agent-cli token rotate api' });
      await homes.get().with((home) => rotateToken(home, 'api', actor));
      assert.deepEqual(permissions(), { name: 'permissions', status: 'ok', detail: 'directory 0700, files 0600', fix: null });
    });

  for (const name of ['lock.sqlite3', 'journal.sqlite3'])
    it(`names a directory in the place of ${name}`, () => {
      homes.get();
      fs.renameSync(file(name), file('kept'));
      fs.mkdirSync(file(name), { mode: 0o700 });
      const { detail, hint } = throwsRefusal(() => openForDoctor(homes.get().world, { tolerate }), 'integrity');
      assert.equal(detail, `${file(name)} is not a regular file`);
      assert.equal(hint, name === 'lock.sqlite3' ? `mv ${file(name)} ${file(name)}.old` : undefined);
      assert.equal(throwsRefusal(() => homes.get().open(), 'integrity').detail, detail);
      fs.rmSync(file(name), { recursive: true });
      if (name === 'journal.sqlite3') fs.renameSync(file('kept'), file(name));
      homes.get().open().close();
    });
});

/** Overwrites the first page of a table in the closed home's file. */
function wreck(table: string): void {
  const journal = file('journal.sqlite3');
  const db = new Database(journal);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table) ?? 0;
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  assert.ok(page > 1 && page * size <= fs.statSync(journal).size);
  const fd = fs.openSync(journal, 'r+');
  fs.writeSync(fd, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  fs.closeSync(fd);
  assert.ok(fs.readFileSync(journal).includes(Buffer.alloc(size, 0xff)));
}

describe('rebuild', () => {
  const rebuild = (): unknown =>
    homes.get().with((opened) => rebuildHome(opened, () => undefined), { tolerate: ['config', 'schema', 'tables'] });

  for (const table of ['mission', 'control', 'events'])
    it(`names a table that SQLite cannot read: ${table}`, () => {
      homes.get().with(({ writer }) => writer.transact(submit(1)));
      wreck(table);
      const { detail } = throwsRefusal(rebuild, 'integrity');
      assert.match(detail, new RegExp(`^table ${table} of journal\\.sqlite3 is damaged: `));
    });

  it('names an entry with a malformed hash', () => {
    homes.get().with(({ writer }) => writer.transact(submit(1)));
    tamper(homes.get(), (db) => withoutTriggers(db, () => db.exec("UPDATE events SET hash = '00' WHERE seq = 2")));
    assert.equal(throwsRefusal(rebuild, 'integrity').detail, 'entry 2 has a malformed hash or signature');
  });
});
