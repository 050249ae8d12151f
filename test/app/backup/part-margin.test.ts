/** The largest entry that can come last into a part of a series. */
import { ok, strictEqual } from 'node:assert';
import { archive_part_margin_bytes, snapshot_step_bytes_max } from '../../../src/base/backup-limits.js';
import { simulation_outcome_bytes_max } from '../../../src/base/simulation-limits.js';
import { homeForEach, type TemporaryHome } from '../../support/temporary-home.js';
import { backup, restore, verified, worldBeside } from './archives.js';

const homes = homeForEach();

/** Records one entry for each size, with a blob of that size. */
function record(home: TemporaryHome, sizes: readonly number[]): void {
  home.with(({ writer }) => {
    writer.transact((tx) => {
      for (const [i, size] of sizes.entries()) {
        const envelope_blob = tx.putBlob(Buffer.alloc(size, i + 1));
        tx.append('@bus', { type: 'bus.received', document: { peer: '127.0.0.1:1', envelope_blob } });
      }
    });
  });
}

describe('backup: the margin of a part', () => {
  it('holds the largest step and the largest blob, so that no part exceeds the limit', async () => {
    const home = homes.get();
    // A part may have twice the margin, and is closed when it is half full. Each of these blobs is more than a step.
    const closed_at = archive_part_margin_bytes;
    const large = 2 * snapshot_step_bytes_max;
    const fills = Array.from({ length: Math.floor(closed_at / large) - 1 }, () => large);
    const used = fills.reduce((sum, size) => sum + size, 0);
    // The last check sees a part that is almost closed; the largest blob comes into a step that is almost complete.
    const last = [closed_at - used - 131_072, snapshot_step_bytes_max - 16_384, simulation_outcome_bytes_max];
    record(home, [...fills, ...last, 1]);
    const { file, paths = [] } = await backup(home, 'big.zip', 2 * archive_part_margin_bytes);
    ok(paths.length > 1, `${paths.length} parts`);
    const world = worldBeside(home);
    await restore(world, file);
    strictEqual((await verified(world))[0], true);
  });
});
