/**
 * A newer version adds an optional member to an event and writes it. This version tells that from damage: it reads the home, changes
 * nothing of it, and leaves writing to the newer version.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, root, scratch, type Ran, type Scratch } from '../support/cli-run.js';
import { contentsBelow } from '../support/files-below.js';
import { versionOf } from '../support/program-archive.js';
import { scratchBuild, type ScratchBuild } from '../support/scratch-build.js';

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

/** A home in which this version approved a mission, and the newer one queued another. @param after more commands of the newer one */
function given(newer: ScratchBuild, after: readonly (readonly string[])[] = []): Given {
  const at = scratch();
  writeFileSync(join(at.directory, 'plan.json'), JSON.stringify(plan));
  at.json('init');
  const made = at.json('run', 'plan.json', '--execute');
  const { id, revision, result_hash } = made as { id: string; revision: number; result_hash: string };
  at.json('review', id, '--approve', '--revision', String(revision), '--result-hash', result_hash, '--note', 'fits');
  const queued = String(newer.json(['run', 'plan.json'], at.env, at.directory)['id']);
  for (const args of after) newer.json(args, at.env, at.directory);
  return { at, approved: id, queued };
}

const codeOf = ({ stderr }: Ran): unknown => (JSON.parse(stderr) as { code: unknown }).code;

function readsAll({ at, approved, queued }: Given, warning: RegExp): void {
  const outputs = join(at.directory, 'out.json');
  const before = [contentsBelow(join(at.directory, 'home')), contentsBelow(join(at.directory, 'witness'))];
  const read = (...args: readonly string[]): Record<string, unknown> => {
    const { code, stdout, stderr } = at.run(...args, '--json');
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, warning, args.join(' '));
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const { items } = read('list') as { items: readonly { id: string; state: string }[] };
  assert.deepEqual(
    items.map(({ id, state }) => [id, state]),
    [
      [queued, 'queued'],
      [approved, 'completed'],
    ],
  );
  const shown = read('show', queued) as { goal: string; request: { work: unknown } };
  assert.equal(shown.goal, plan.goal);
  for (const deep of [[], ['--deep']]) {
    const { valid, failure, newer } = read('verify', ...deep) as { valid: boolean; failure: unknown; newer: { count: number } };
    assert.deepEqual([valid, failure, newer.count], [true, null, 1]);
  }
  read('export', approved, '--output', outputs);
  const { public_key: key } = JSON.parse(readFileSync(outputs, 'utf8')) as { public_key: string };
  assert.equal(at.json('verify-export', outputs, '--public-key', key, '--recompute')['recomputed'], true);
  assert.deepEqual([contentsBelow(join(at.directory, 'home')), contentsBelow(join(at.directory, 'witness'))], before);
}

describe('a home in which a newer version wrote an optional member', function () {
  this.timeout(300_000);
  let newer: ScratchBuild;
  before(() => {
    newer = scratchBuild(newer_version, edits);
  });
  after(() => newer.remove());
  const homes: Scratch[] = [];
  afterEach(() => homes.splice(0).forEach((home) => home.remove()));
  const have = (...args: Parameters<typeof given>): Given => {
    const made = given(...args);
    homes.push(made.at);
    return made;
  };

  it('is listed, shown, verified and exported, and not changed', () => {
    newer.setVersion(newer_version);
    readsAll(have(newer), /only read: this home was written by version 99\.0\.0, which is newer than/);
  });

  it('is refused to every command that writes, or that relies on the tables', () => {
    newer.setVersion(newer_version);
    const { at, approved, queued } = have(newer);
    const home = join(at.directory, 'home');
    const unchanged = contentsBelow(home);
    for (const args of [
      ['run', 'plan.json'],
      ['execute', queued],
      ['cancel', queued],
      ['erase', approved, '--reason', 'x'],
      ['pause'],
      ['configure', 'plan.json'],
      ['rebuild'],
      ['doctor'],
      ['backup', 'b.zip'],
      ['recover-home', '--accept-rollback', '--reason', 'x'],
      ['token', 'create', 'eve', '--role', 'viewer'],
    ]) {
      const ran = at.run(...args, '--json');
      assert.equal(ran.code, 4, `${args.join(' ')}: ${ran.stderr}`);
      assert.equal(codeOf(ran), 'newer_version', args.join(' '));
      assert.match(ran.stderr, new RegExp(`99\\.0\\.0.*${versionOf(root).replaceAll('.', '\\.')}`));
    }
    assert.deepEqual(contentsBelow(home), unchanged);
    assert.equal(newer.json(['verify', '--deep'], at.env, at.directory)['valid'], true);
  });

  it('is told by the entry alone when the process lock names no newer version', () => {
    newer.setVersion(versionOf(root));
    const newest = have(newer);
    readsAll(newest, /only read: entry \d+ was written by a newer version/);
    const ran = newest.at.run('pause', '--json');
    assert.deepEqual([ran.code, codeOf(ran)], [4, 'newer_version']);
  });

  it('is told when the entry is read, though it is not the newest', () => {
    newer.setVersion(versionOf(root));
    const { at, queued } = have(newer, [['pause'], ['resume']]);
    assert.equal(at.json('list')['next_cursor'], null);
    for (const args of [
      ['show', queued],
      ['verify', '--deep'],
    ]) {
      const { code, stderr } = at.run(...args);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /only read: entry \d+ was written by a newer version/);
    }
    const ran = at.run('execute', queued, '--json');
    assert.deepEqual([ran.code, codeOf(ran)], [4, 'newer_version']);
  });
});
