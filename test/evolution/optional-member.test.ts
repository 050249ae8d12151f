/**
 * A newer version adds an optional member to an event and writes it. This version tells that from damage: it reads the home, changes
 * nothing of it, and leaves writing to the newer version. @slow
 */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, root, scratch, type Scratch } from '../support/cli/cli-run.js';
import { Operator, type Said } from '../support/crash/crash-cli.js';
import { accepted, refused } from '../support/crash/crash-settle.js';
import { contentsBelow } from '../support/files-below.js';
import { versionOf } from '../support/cli/program-archive.js';
import { scratchBuild, type ScratchBuild } from '../support/cli/scratch-build.js';
import { copyTree } from '../support/app/temporary-home.js';

const newer_version = '99.0.0';
const edits = [
  {
    file: 'src/codec/events/mission.ts',
    find: '  ids_hash: optional(hash),\n',
    replace: '  ids_hash: optional(hash),\n  due: optional(text()),\n',
  },
  {
    file: 'src/app/missions/submit.ts',
    find: '    goal: request.goal,\n',
    replace: "    goal: request.goal,\n    due: 'before winter',\n",
  },
] as const;

interface Given {
  readonly at: Scratch;
  /** An approved mission of this version, and one that the newer version queued. */
  readonly approved: string;
  readonly queued: string;
}

/** Runs a command of this version, in a process that stays. */
type Run = (at: Scratch, ...args: readonly string[]) => Promise<Said>;

/** A home in which this version approved a mission. */
async function approvedAt(at: Scratch, run: Run): Promise<string> {
  const json = async (...args: readonly string[]): Promise<unknown> => accepted(await run(at, ...args), args.join(' '));
  writeFileSync(planOf(at), JSON.stringify(plan));
  await json('init');
  const made = await json('run', planOf(at), '--execute');
  const { id, revision, result_hash } = made as { id: string; revision: number; result_hash: string };
  await json('review', id, '--approve', '--revision', String(revision), '--result-hash', result_hash, '--note', 'fits');
  return id;
}

/** A copy of that home in which the newer version queued another one. @param after more commands of the newer one */
async function given(
  from: Scratch,
  approved: string,
  newer: Operator,
  after: readonly (readonly string[])[] = [],
): Promise<Given> {
  const at = scratch();
  copyTree(from.directory, at.directory);
  for (const name of ['home', 'witness']) chmodSync(join(at.directory, name), 0o700);
  const queued = String(accepted(await newer.run(['run', planOf(at)], at.env), 'run')['id']);
  for (const args of after) accepted(await newer.run(args, at.env), args.join(' '));
  return { at, approved, queued };
}

const planOf = ({ directory }: Scratch): string => join(directory, 'plan.json');

async function readsAll(run: Run, { at, approved, queued }: Given, warning: RegExp): Promise<void> {
  const outputs = join(at.directory, 'out.json');
  const before = [contentsBelow(join(at.directory, 'home')), contentsBelow(join(at.directory, 'witness'))];
  const read = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const answer = await run(at, ...args);
    assert.match(answer.stderr, warning, args.join(' '));
    return accepted(answer, args.join(' '));
  };
  const { items } = (await read('list')) as { items: readonly { id: string; state: string }[] };
  assert.deepEqual(
    items.map(({ id, state }) => [id, state]),
    [
      [queued, 'queued'],
      [approved, 'completed'],
    ],
  );
  const shown = (await read('show', queued)) as { goal: string; request: { work: unknown } };
  assert.equal(shown.goal, plan.goal);
  for (const deep of [[], ['--deep']]) {
    const report = await read('verify', ...deep);
    const { valid, failure, newer } = report as { valid: boolean; failure: unknown; newer: { count: number } };
    assert.deepEqual([valid, failure, newer.count], [true, null, 1]);
  }
  await read('export', approved, '--output', outputs);
  const { public_key: key } = JSON.parse(readFileSync(outputs, 'utf8')) as { public_key: string };
  const verdict = await run(at, 'verify-export', outputs, '--public-key', key, '--recompute');
  assert.equal(accepted(verdict, 'verify-export')['recomputed'], true);
  assert.deepEqual([contentsBelow(join(at.directory, 'home')), contentsBelow(join(at.directory, 'witness'))], before);
}

describe('a home in which a newer version wrote an optional member', () => {
  const operator = new Operator();
  const run: Run = (at, ...args) => operator.run(args, at.env);
  let newer: ScratchBuild;
  let named: Operator;
  let base: Scratch;
  let approved: string;
  before(async () => {
    newer = scratchBuild(newer_version, edits);
    named = newer.operator();
    base = scratch();
    approved = await approvedAt(base, run);
  });
  after(() => {
    operator.stop();
    named.stop();
    newer.remove();
    base.remove();
  });
  const homes: Scratch[] = [];
  afterEach(() => homes.splice(0).forEach((home) => home.remove()));
  const have = async (by: Operator, after?: readonly (readonly string[])[]): Promise<Given> => {
    const made = await given(base, approved, by, after);
    homes.push(made.at);
    return made;
  };

  it('is listed, shown, verified and exported, and not changed', async () => {
    await readsAll(run, await have(named), /only read: this home was written by version 99\.0\.0, which is newer than/);
  });

  it('is refused to every command that writes, or that relies on the tables', async () => {
    const { at, queued } = await have(named);
    const home = join(at.directory, 'home');
    const unchanged = contentsBelow(home);
    for (const args of [
      ['run', planOf(at)],
      ['execute', queued],
      ['cancel', queued],
      ['erase', approved, '--reason', 'x'],
      ['pause'],
      ['configure', planOf(at)],
      ['rebuild'],
      ['doctor'],
      ['backup', 'b.zip'],
      ['recover-home', '--accept-rollback', '--reason', 'x'],
      ['token', 'create', 'eve', '--role', 'viewer'],
    ]) {
      const ran = await run(at, ...args);
      refused(ran, 4, 'newer_version', args.join(' '));
      assert.match(ran.stderr, new RegExp(`99\\.0\\.0.*${versionOf(root).replaceAll('.', '\\.')}`));
    }
    assert.deepEqual(contentsBelow(home), unchanged);
    assert.equal(accepted(await named.run(['verify', '--deep'], at.env), 'verify --deep')['valid'], true);
  });

  describe('with the version of this one', () => {
    let unnamed: Operator;
    before(() => {
      newer.setVersion(versionOf(root));
      unnamed = newer.operator();
    });
    after(() => unnamed.stop());

    it('is detected by the entry alone when the process lock names no newer version', async () => {
      const newest = await have(unnamed);
      await readsAll(run, newest, /only read: entry \d+ was written by a newer version/);
      refused(await run(newest.at, 'pause'), 4, 'newer_version', 'pause');
    });

    it('is detected when the entry is read, though it is not the newest', async () => {
      const { at, queued } = await have(unnamed, [['pause'], ['resume']]);
      assert.equal(accepted(await run(at, 'list'), 'list')['next_cursor'], null);
      for (const args of [
        ['show', queued],
        ['verify', '--deep'],
      ]) {
        const { code, stderr } = await run(at, ...args);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /only read: entry \d+ was written by a newer version/);
      }
      refused(await run(at, 'execute', queued), 4, 'newer_version', 'execute');
    });
  });
});
