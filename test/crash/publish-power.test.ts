/**
 * Power loss for real while a log is published: the directory is on an ext4 that is shut down without a sync. A checkpoint that is
 * there afterwards has all that it covers, and what a finished publish reported is there.
 */
import { ok, strictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect, start } from '../support/crash-cli.js';
import { atEffort } from '../support/effort.js';
import { Ext4 } from '../support/mount.js';
import { grow, publishTo, readPublished } from '../support/published.js';
import { real } from '../support/real.js';
import { temporaryHome, type TemporaryHome } from '../support/temporary-home.js';

real('power-loss', 'power loss while publishing', () => {
  const root = mkdtempSync(join(tmpdir(), 'agent-power-'));
  let disk: Ext4;
  let home: TemporaryHome;
  let key: Buffer;
  const out = (): string => join(disk.point, 'www', 'logs', 'public');
  const restart = (): void => {
    disk.unmount();
    disk.mount();
  };

  before(() => {
    disk = new Ext4(root, join(root, 'disk'));
    disk.mount();
    home = temporaryHome();
    key = home.with(({ signer }) => signer.publicKey);
  });
  after(() => {
    disk.unmount();
    home.remove();
    rmSync(root, { recursive: true, force: true });
  });

  it('keeps after the cut what a publish reported, from the first directory on', async () => {
    for (const size of [1, 255, 256, 300]) {
      grow(home, size);
      const report = await publishTo(home, out());
      disk.cut();
      restart();
      strictEqual(readPublished(out(), key)?.size, report.size);
      strictEqual((await publishTo(home, out())).written, 0);
    }
  });

  it('keeps the old log or the new one when a publish is cut at any moment, and the next one completes', async () => {
    const rounds = atEffort(5, 60);
    const left = new Map<string, number>();
    const env = { AGENT_HOME: home.directory, AGENT_WITNESS: home.witness };
    const began = performance.now();
    strictEqual((await collect(start(['publish', out()], env))).code, 0);
    const whole_ms = performance.now() - began;
    for (let round = 0; round < rounds; round++) {
      const before = readPublished(out(), key)?.size;
      grow(home, 300 + 270 * (round + 1));
      const ended = collect(start(['publish', out()], env));
      await sleep(whole_ms * (0.5 + (0.9 * round) / rounds));
      disk.cut();
      const { code } = await ended;
      restart();
      const size = readPublished(out(), key)?.size;
      const whole = 300 + 270 * (round + 1);
      ok(size === whole || (size === before && code !== 0), `${String(size)} after ${String(before)}, exit ${code}`);
      left.set(
        size === whole ? 'the new log' : 'the old log',
        (left.get(size === whole ? 'the new log' : 'the old log') ?? 0) + 1,
      );
      strictEqual((await publishTo(home, out())).size, whole);
      strictEqual(readPublished(out(), key)?.size, whole);
    }
    console.log(`      ${rounds} cuts left: ${[...left].map(([what, n]) => `${what} ${n}`).join(', ')}`);
  });
});
