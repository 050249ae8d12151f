/** A short soak, and what it counts as a failure; scripts/soak is the long one. @slow */
import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Acknowledged } from '../drill/load.js';
import { root } from '../support/cli/cli-run.js';
import { atEffort } from '../support/effort.js';
import { submit, temporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { build_ms_max } from '../support/wait.js';
import { grown, type Level, Operations, type Sample } from './measured.js';
import { Site } from './site.js';

const seconds = atEffort(8, 180);
const kills_min = atEffort(1, 30);
const seed = 20_261_123;

describe('scripts/soak', () => {
  it('loses nothing that was acknowledged, fails nothing, and holds memory and handles flat, over kills and restarts', () => {
    const args = ['--seconds', String(seconds), '--seed', String(seed), '--kills', String(kills_min), '--no-code'];
    const { status, stdout, stderr } = spawnSync(join(root, 'scripts', 'soak'), args, {
      cwd: root,
      encoding: 'utf8',
      timeout: build_ms_max * atEffort(1, 4),
    });
    const [, tables = ''] = /\n(\| Operation [^]*)$/.exec(stdout) ?? [];
    for (const line of tables.trim().split('\n')) console.log(`      ${line}`);
    deepStrictEqual([status, stderr], [0, '']);
    const [, kills, acknowledged, lost, doubled] =
      /; kills: (\d+); .*; steps acknowledged: ([\d,]+); lost: (\d+); doubled: (\d+)$/m.exec(tables) ?? [];
    ok(Number(kills) >= kills_min, `${kills} kills`);
    deepStrictEqual([acknowledged === '0', lost, doubled], [false, '0', '0']);
    const counts = [...tables.matchAll(/^\| [^|]+ \| ([\d,]+) \| (\d+) \| \d+ \|/gm)].map(
      ([line, ...each]) => [line, ...each] as const,
    );
    ok(counts.length > 5);
    for (const [line, count, interrupted] of counts) ok(count !== '0' || interrupted !== '0', line);
  });
});

describe('the home of a soak', () => {
  it('ends the work of its clients when its daemon does not start again', async () => {
    const site = await Site.make({ code: false });
    try {
      truncateSync(join(site.sandbox.home, 'identity.key'), 1);
      const waiting = rejects(site.target(), /^Error: the daemon does not start again: .*identity\.key/);
      await rejects(site.start(), /identity\.key/);
      await waiting;
      match(site.wrong ?? '', /identity\.key/);
    } finally {
      await site.remove();
    }
  });
});

describe('the measurements of a soak', () => {
  it('counts what a kill cut off as interrupted, and anything else as failed', async () => {
    let changes: number | null = 1;
    const operations = new Operations(() => changes);
    const fails = async (): Promise<string> => Promise.resolve('no');
    const why = (text: string): string => text;
    strictEqual(await operations.timed('a', fails, () => null), 'no');
    await operations.timed('a', fails, why);
    const killed = async (): Promise<string> => {
      changes = 2;
      throw new Error('socket hang up');
    };
    await operations.timed('a', killed, why);
    changes = null;
    await operations.timed('a', fails, why);
    await operations.timed('b', fails, why, false);
    const [a, b] = operations.rows();
    deepStrictEqual([a?.count, a?.failures, a?.interrupted], [1, 1, 2]);
    deepStrictEqual([b?.count, b?.failures, b?.interrupted], [0, 1, 0]);
    deepStrictEqual(operations.failures, ['a: no', 'b: no']);
  });

  it('finds memory that grows, memory that is high, and handles that stay open', () => {
    const mb = 1_048_576;
    const at = (rss: number, handles = 40): Level => ({ rss_bytes: rss * mb, handles });
    const samples = (from: number, to: number): Sample[] =>
      Array.from({ length: 50 }, (_, i) => ({ age_ms: 8_000 * i, life: 0, ...at(from + ((to - from) * i) / 49) }));
    const flat = samples(150, 160);
    deepStrictEqual(grown(flat, flat, at(140), at(150)), []);
    const growing = samples(150, 400);
    deepStrictEqual(grown(growing.slice(0, 20), growing, at(140), at(150)), []);
    match(grown(growing, growing, at(140), at(150)).join(), /^the memory of one daemon grew from 227 MB to 380 MB/);
    match(
      grown(flat, [...samples(500, 500), ...flat], at(140), at(150)).join(),
      /^the daemon held up to 500 MB, at rest 140 MB$/,
    );
    match(grown(flat, flat, at(140), at(150, 90)).join(), /^90 file handles remain open at rest, 40 before the load$/);
  });

  it('finds an acknowledged step that the journal lacks', () => {
    const home = temporaryHome();
    home.with(({ writer }) => writer.transact(submit(1)));
    const acknowledged = new Acknowledged();
    acknowledged.add(uuidOf(1), 'submitted');
    deepStrictEqual(acknowledged.check(home.directory), { lost: 0, doubled: 0 });
    acknowledged.add(uuidOf(1), 'executed');
    acknowledged.add(uuidOf(2), 'submitted');
    deepStrictEqual(acknowledged.check(home.directory), { lost: 2, doubled: 0 });
    home.remove();
  });
});
