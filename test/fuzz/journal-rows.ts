/** Bytes of any row of the journal, and of its database file, altered in copies of a home with something of everything. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Prng } from '../../src/base/prng.js';
import type { Mutant } from '../support/archive/byte-mutations.js';
import { draw, type Drawn } from '../sweep/generate.js';
import { makeMixedHomes, type MixedHomes } from '../sweep/homes.js';
import type { ProbeName } from '../sweep/probes.js';
import { Worker } from '../sweep/sweep.js';
import { Outcomes, type Target, type TargetKind } from './target.js';

const probes: readonly ProbeName[] = ['verify', 'verify --deep', 'list', 'checkpoint'];

function make(random: Prng): Mutant {
  const drawn = JSON.stringify(draw(random));
  return { bytes: Buffer.from(drawn), what: drawn };
}

/** Does not remove the homes, which may be others'. */
export class JournalRows implements Target {
  readonly outcomes = new Outcomes();
  readonly make = make;
  private worker: Worker | null = null;

  constructor(private readonly homes: MixedHomes) {}

  readonly try = async (bytes: Buffer): Promise<readonly string[]> => {
    const drawn = JSON.parse(bytes.toString()) as Drawn;
    this.outcomes.add(drawn.table);
    const worker = (this.worker ??= await this.another());
    const tried = await worker.do({ name: 'drawn', isThorough: false, turn: 0, drawn, only: probes });
    if (tried !== null) return tried.misses;
    this.worker = null;
    return [await worker.why()];
  };

  private another(): Promise<Worker> {
    const folder = join(this.homes.root, 'process-fuzz');
    mkdirSync(folder, { recursive: true });
    return Worker.start(this.homes.root, folder);
  }

  readonly close = async (): Promise<readonly string[]> => {
    await this.worker?.end();
    return [];
  };
}

export const journalRows: TargetKind = {
  name: 'journal',
  what: 'altered bytes in rows of the journal and in its database file, to verify and to commands that read them',
  invariants: [
    'verify finds every change of a signed or sealed value, verify --deep every change of a row, and both write nothing',
    'no command ends with exit code 1, or hangs',
    'rebuild repairs what entries make again',
  ],
  open: async () => {
    const homes = await makeMixedHomes();
    const rows = new JournalRows(homes);
    const close = async (): Promise<readonly string[]> => {
      const wrong = await rows.close();
      homes.remove();
      return wrong;
    };
    return { outcomes: rows.outcomes, make: rows.make, try: rows.try, close };
  },
};
