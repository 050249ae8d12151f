/** The home whose copies the sweep alters, and the homes that may be put in its place. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupHome } from '../../src/app/backup/backup.js';
import { restoreHome } from '../../src/app/backup/restore.js';
import { checkpoint } from '../../src/app/log/checkpoint.js';
import * as given from '../support/app/given-home.js';
import { copyTree, start_ms, temporaryHome, type TemporaryHome, uuidOf } from '../support/app/temporary-home.js';
import { atEffort } from '../support/effort.js';
import { storeAt } from '../support/state/store-at.js';
import { again, makeMixedHome, queueTogether } from './mixed-home.js';

export interface MixedHomes {
  /** Holds a folder for each home, in it `home` and `witness`, and the files `checkpoint.txt` and `checkpoint-large.txt` that were saved from two. */
  readonly root: string;
  readonly remove: () => void;
}

/**
 * The main home, and those that may be put in its place: `lost` with the entries whose loss was accepted; `earlier` without the newest
 * entries, `branched` with others in their place; `grown` and `forked` each with more entries; `unclean` as a killed process leaves
 * `grown`; `superseded` restored from a backup in the place of the main one, `practised` with the witness files of a restore beside it;
 * `other` has another key. `large` is like `main` with many more entries: its snapshot is far from its beginning, and few entries follow it.
 */
export const homeNames = [
  'main',
  'lost',
  'earlier',
  'branched',
  'grown',
  'forked',
  'unclean',
  'superseded',
  'practised',
  'other',
  'large',
] as const;
export type HomeName = (typeof homeNames)[number];

const parts = ['home', 'witness'] as const;

export async function makeMixedHomes(): Promise<MixedHomes> {
  const { home: made, lost, earlier } = await makeMixedHome();
  made.with((home) => void checkpoint(home, join(made.root, 'checkpoint.txt')));
  writeFileSync(join(made.root, 'mission.json'), JSON.stringify(again));
  const copies = { main: made.copy(), grown: made.copy(), forked: made.copy(), unclean: made.copy() };
  const more = { superseded: made.copy(), practised: made.copy() };
  const large = await makeLargeHome(made);
  const homes = { ...copies, ...more, lost, earlier, branched: earlier.copy(), other: temporaryHome(), large };
  for (const { clock } of Object.values(homes)) clock.now = made.clock.now + 1_000;
  homes.forked.with((home) => queueTogether(home, 0x4000, 5));
  homes.branched.with((home) => queueTogether(home, 0x4000, 60));
  homes.other.with((home) => queueTogether(home, 0x4000, 1));
  await grow(homes.grown, homes.unclean);
  // Some entries of streams that are in the snapshot follow it.
  for (const [name, after] of snapshots) homes[name].with((home) => storeAt(home, home.writer.head.size - after));
  await restoreBeside(homes.superseded, { supersede: true });
  await restoreBeside(homes.practised, { supersede: false });
  for (const name of homeNames) {
    for (const part of parts) {
      copyTree(join(homes[name].root, part), join(made.root, name, part));
    }
    homes[name].remove();
  }
  for (const part of parts) rmSync(join(made.root, part), { recursive: true });
  return { root: made.root, remove: made.remove };
}

const large_entries = atEffort(1_000, 12_000);

/** How many entries follow the snapshots of homes. */
const snapshots = [
  ['main', 10],
  ['lost', 0],
  ['earlier', 0],
  ['grown', 0],
  ['forked', 0],
  ['large', 6],
] as const satisfies readonly (readonly [HomeName, number])[];

async function makeLargeHome({ root }: TemporaryHome): Promise<TemporaryHome> {
  const { home, lost, earlier } = await makeMixedHome(large_entries);
  for (const copy of [lost, earlier]) copy.remove();
  home.with((opened) => void checkpoint(opened, join(root, 'checkpoint-large.txt')));
  return home;
}

/** The time at which commands of the sweep run. */
export const sweep_ms = start_ms + 60_000;

/** Adds entries, and keeps the files as a killed process leaves them: the entries are in the write-ahead log alone. */
async function grow(grown: TemporaryHome, unclean: TemporaryHome): Promise<void> {
  await grown.with(async (home) => {
    await given.queued(home, given.forecast('one more'), uuidOf(0x2001));
    await given.queued(home, given.forecast('and another'), uuidOf(0x2002));
    home.updateWitness();
    for (const part of parts) {
      rmSync(join(unclean.root, part), { recursive: true });
      copyTree(join(grown.root, part), join(unclean.root, part));
    }
  });
}

/** Restores a backup of the home beside it. The one that replaces it takes its place; the other one only leaves a witness file. */
async function restoreBeside(
  { root, directory, world, ...made }: TemporaryHome,
  { supersede }: { supersede: boolean },
): Promise<void> {
  const [archive, beside] = [join(root, 'backup.zip'), join(root, 'restored')];
  await made.with((home) => backupHome(home, archive));
  await restoreHome({ ...world, directory: beside }, archive, { actor: given.actor, reason: 'a new disk', supersede });
  if (supersede) rmSync(directory, { recursive: true });
  if (supersede) renameSync(beside, directory);
}
