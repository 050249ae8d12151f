/** What a newcomer changes first, each change as edits of files: CONTRIBUTING.md says how many files each touches. */

/** A file and its replacements; the whole text of a new file. */
export type FileChange = readonly [file: string, change: string | readonly (readonly [from: string, to: string])[]];

/** A share of an allocation's budget that is kept back. */
export const missionMember: readonly FileChange[] = [
  [
    'src/kinds/allocation/work.ts',
    [
      ['import { choice,', 'import { added, choice,'],
      [
        '  unit: withDefault(',
        "  /** The share of the budget that is kept back. */\n  reserve: added('99.0.0', number(0, 0.9), 0),\n  unit: withDefault(",
      ],
      [
        'function links(',
        'export const spendable = (work: AllocationWork): AllocationWork => ({ ...work, budget: work.budget * (1 - work.reserve) });\n\nfunction links(',
      ],
    ],
  ],
  [
    'src/kinds/allocation/engine/problem.ts',
    [
      ["import type { AllocationWork } from '../work.js';", "import { spendable, type AllocationWork } from '../work.js';"],
      ['makeProblem(work: AllocationWork) {', 'makeProblem(given: AllocationWork) {\n  const work = spendable(given);'],
    ],
  ],
  [
    'src/kinds/allocation/verify/verify.ts',
    [
      ["import type { AllocationWork } from '../work.js';", "import { spendable, type AllocationWork } from '../work.js';"],
      ['new Check(input, ', 'new Check({ ...input, work: spendable(input.work) }, '],
    ],
  ],
];

/** The name of the home's signing key, for viewers. */
export const readEndpoint: readonly FileChange[] = [
  [
    'src/codec/api-status.ts',
    [
      [
        'export const statusCodec',
        "export const identityCodec = object('Identity', { identity: required(identity) });\n\nexport const statusCodec",
      ],
    ],
  ],
  [
    'src/http/operator/system.ts',
    [
      ['import { doctorCodec, type Status,', 'import { doctorCodec, identityCodec, type Status,'],
      [
        '  metricsEndpoint(metrics),',
        `  endpoint({
    route: 'GET /api/identity',
    auth: 'viewer',
    summary: 'The name of the signing key',
    responses: { 200: { description: 'The name', body: identityCodec } },
    handle: () => json(200, { identity: daemon.home.signer.identity }),
  }),
  metricsEndpoint(metrics),`,
      ],
    ],
  ],
];

/** Notes, each a stream: recorded, kept in a table, and read from there, compared with the signed entries. */
export const eventWithTable: readonly FileChange[] = [
  [
    'src/codec/events/note.ts',
    `import { declare } from '../event-type.js';
import { required, text } from '../kit.js';
import { actor } from '../scalars.js';

export const noteEvents = [declare('note.written', { text: required(text({ min: 1, max: 200 })), actor: required(actor) })] as const;
`,
  ],
  [
    'src/codec/event.ts',
    [
      ['import { simulationEvents,', "import { noteEvents } from './events/note.js';\nimport { simulationEvents,"],
      ['  ...workerEvents,', '  ...workerEvents,\n  ...noteEvents,'],
    ],
  ],
  [
    'src/domain/note.ts',
    `import { streams, type EventIn } from './stream.js';

export type NoteEvent = EventIn<'note.'>;

export interface Note {
  readonly id: string;
  readonly text: string;
  readonly revision: number;
}

export const noteStream = streams<Note, 'note.'>('@note:', {
  noun: 'note',
  events: ['note.'],
  evolve: (_, { document }: NoteEvent, { id, sequence }) => ({ id, text: document.text, revision: sequence }),
});
`,
  ],
  [
    'src/tables/notes.ts',
    `import { integer, object, required, text } from '../codec/kit.js';
import { noteStream, type Note } from '../domain/note.js';
import { defineRowTable } from '../state/rows.js';
import type { Db } from '../store/database.js';
import { readOne } from './read.js';

export const noteTable = defineRowTable<Note>({
  stream: noteStream,
  name: 'note',
  projection: 'notes',
  version: 1,
  row: object('NoteRow', { id: required(text()), text: required(text()), revision: required(integer(1, 2 ** 53 - 1)) }),
  key: 'id',
});

export const readNote = (db: Db, id: string): Note | null =>
  readOne(db, noteTable, id);
`,
  ],
  [
    'src/tables/projections.ts',
    [
      ['import { receiptTable }', "import { noteTable } from './notes.js';\nimport { receiptTable }"],
      ['  workerTable,\n]', '  workerTable,\n  noteTable,\n]'],
    ],
  ],
  [
    'src/app/missions/notes.ts',
    `import { ok } from '../../base/refusal.js';
import { noteStream } from '../../domain/note.js';
import { recordEvents } from '../../journal/stream.js';
import { readNote } from '../../tables/notes.js';
import type { Home } from '../home/home.js';

export const writeNote = (home: Home, id: string, text: string): Promise<unknown> =>
  home.transact((tx) => recordEvents(tx, noteStream, id, ok([{ type: 'note.written', document: { text, actor: 'operator' } }])));

export const noteText = (home: Home, id: string): string | undefined => readNote(home.db, id)?.text;
`,
  ],
];

/** What the pages say of them, in both languages. */
export const words: readonly FileChange[] = [
  [
    'src/console/operator/kinds/allocation/words.ts',
    [['    max_risk: { label: ', "    reserve: { label: ['Reserve', 'Réserve'] },\n    max_risk: { label: "]],
  ],
  [
    'src/console/operator/text/audit.ts',
    [
      ["    worker: ['Workers',", "    note: ['Notes', 'Notes'],\n    worker: ['Workers',"],
      ["    'worker.added': ", "    'note.written': ['Note written', 'Note écrite'],\n    'worker.added': "],
    ],
  ],
];
