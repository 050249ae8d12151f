/** A short soak; scripts/soak is the long one. @slow */
import { deepStrictEqual, match, ok, rejects } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli/cli-run.js';
import { atEffort } from '../support/effort.js';
import { build_ms_max } from '../support/wait.js';
import { Site } from './site.js';

const seconds = atEffort(3, 180);
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
