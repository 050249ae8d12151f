/** Bytes of any row of the journal, and of its database file, altered in copies of a home with something of everything. */
import type { Prng } from '../../src/base/prng.js';
import type { Mutant } from '../support/archive/byte-mutations.js';
import { draw, type Drawn } from '../sweep/generate.js';
import { makeMixedHomes } from '../sweep/homes.js';
import type { ProbeName } from '../sweep/probes.js';
import { Sweep } from '../sweep/sweep.js';
import { Outcomes, type Target, type TargetKind } from './target.js';

const probes: readonly ProbeName[] = ['verify', 'verify --deep', 'list', 'checkpoint'];

function make(random: Prng): Mutant {
  const drawn = JSON.stringify(draw(random));
  return { bytes: Buffer.from(drawn), what: drawn };
}

export class JournalRows implements Target {
  readonly outcomes = new Outcomes();
  readonly make = make;

  constructor(private readonly sweep: Sweep) {}

  readonly try = async (bytes: Buffer): Promise<readonly string[]> => {
    const drawn = JSON.parse(bytes.toString()) as Drawn;
    this.outcomes.add(drawn.table);
    const { misses } = await this.sweep.one({ name: 'drawn', isThorough: false, turn: 0, drawn, only: probes });
    return misses;
  };

  /** Leaves the processes and the homes to whoever made them. */
  readonly close = (): Promise<readonly string[]> => Promise.resolve([]);
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
    const sweep = new Sweep(homes.root);
    const rows = new JournalRows(sweep);
    const close = async (): Promise<readonly string[]> => {
      await sweep.end();
      homes.remove();
      return [];
    };
    return { outcomes: rows.outcomes, make: rows.make, try: rows.try, close };
  },
};
