/** Pages of entries: each has a limit of its bodies too, and together they have every entry once. */
import assert from 'node:assert/strict';
import { mission_entries_chars_max } from '../../src/base/limits.js';
import { entryPage, missionEntries } from '../../src/app/operator/entries.js';
import type { Home } from '../../src/app/home/home.js';
import { leftRunning, queued } from '../support/given-home.js';
import { homeForEach } from '../support/temporary-home.js';

const homes = homeForEach();
const large = 900_000;
const stages = 12;

/** Records stages whose notes are nearly as large as an entry may be. Returns the mission. */
async function largeStages(home: Home): Promise<string> {
  const { id } = await queued(home);
  await leftRunning(home, id);
  for (let index = 0; index < stages; index++)
    await home.transact((tx) =>
      tx.append(id, {
        type: 'mission.staged',
        document: { attempt: 1, index: index % 7, role: 'planning', detail: { text: 'x'.repeat(large) } },
      }),
    );
  return id;
}

describe('pages of entries', () => {
  it('hold entries of a mission up to a total size of their bodies', async () => {
    const home = homes.get().open();
    const id = await largeStages(home);
    const sequences: number[] = [];
    let pages = 0;
    for (let after: number | null = 0; after !== null; pages++) {
      const { items, next_after } = missionEntries(home, id, after);
      assert.ok(JSON.stringify(items.map(({ document }) => document)).length <= mission_entries_chars_max);
      sequences.push(...items.map(({ sequence }) => sequence));
      after = next_after;
    }
    assert.deepEqual(
      sequences,
      Array.from({ length: stages + 4 }, (_, i) => i + 2),
    );
    assert.equal(pages, Math.ceil((stages * large) / mission_entries_chars_max));
    home.close();
  });

  it('hold the entries of the journal from the newest to the first', async () => {
    const home = homes.get().open();
    await largeStages(home);
    const found: number[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const { items, next_before } = entryPage(home, before, 5);
      found.push(...items.map(({ sequence }) => sequence));
      before = next_before;
    }
    assert.deepEqual(
      found,
      Array.from({ length: home.writer.head.size }, (_, i) => home.writer.head.size - i),
    );
    home.close();
  });
});
