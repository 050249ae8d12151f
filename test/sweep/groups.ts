/** The groups of changes, each with what finds it. The table in docs/journal-format.md is made of them. */
import { fileGroups } from './file-groups.js';
import { readAsNewer, type Group } from './group.js';

const rebuild = ['rebuild'] as const;
const rebuilt = '`rebuild` repairs it';

export const groups = {
  'entry altered': {
    change:
      'A value of an entry is altered: a byte, a forged text with the matching hash, another type, the value of another entry',
    finder: 'every command',
  },
  'entry added': {
    change: 'An entry is added: at sequence 0 or below, after the newest entry, or far beyond it',
    finder: 'every command',
  },
  'entry removed': { change: 'One or more entries are removed', finder: 'every command' },
  'entry moved': { change: 'An entry is moved to another sequence, or two entries are exchanged', finder: 'every command' },
  'tile altered': { change: 'A tile is altered, removed, moved or added', finder: 'every command' },
  'newest checkpoint': {
    change: 'The newest checkpoint is altered or removed, or one is added beyond the newest entry',
    finder: 'every command',
  },
  'checkpoint altered': {
    change: 'A cosigned checkpoint is altered, moved, or removed without its cosignature',
    finder: 'verify',
  },
  'checkpoint added': { change: 'A checkpoint is added that is neither the newest nor cosigned', finder: 'verify' },
  'note lengthened': {
    change: 'A signature line is added to a stored checkpoint, or its own line is repeated',
    finder: 'verify',
    differs: ['checkpoint', 'proof', 'export', 'publish', 'backup'],
    note: 'Readers of a checkpoint ignore the lines of unknown keys',
  },
  'cosignature altered': {
    change: 'A cosignature is altered, moved or added',
    finder: 'verify',
    differs: ['witness list'],
  },
  'cosignature removed': {
    change: 'A cosignature is removed without its checkpoint',
    finder: 'verify',
    differs: ['witness list'],
  },
  'cosigned pair removed': {
    change: 'A cosignature is removed together with its checkpoint',
    finder: 'nothing',
    differs: ['witness list', 'backup'],
    note: 'The witness can cosign again',
  },
  'cosignature time': {
    change: '`at` of a cosignature is altered',
    finder: 'nothing',
    note: 'No command reads it; the line contains the time that the witness signed',
  },
  'blob altered': {
    change: 'A blob is altered: a byte, its hash, another type, bytes moved from the salt to the value or back',
    finder: 'verify',
    note: 'Commands that read the blob find it too',
  },
  'blob removed': {
    change: 'A blob is removed without an entry that erases it',
    finder: 'verify',
    note: 'Commands that read the blob find it too',
  },
  'blob added': { change: 'A blob is added to which no entry refers', finder: 'verify' },
  'control row': {
    change: 'The row of `control` is altered or removed',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'control row added': {
    change: 'A row is added to `control`',
    finder: 'verify',
    note: 'No command reads it; `rebuild` removes it',
  },
  'row altered': {
    change: 'A row of `mission`, `simulation`, `token`, `tool`, `witness`, `invoice`, `receipt`, `wallet` or `worker` is altered',
    finder: 'the command that shows it',
    differs: ['list --state review'],
    repair: rebuild,
    note: 'A filtered list does not show a row with another state; `rebuild` repairs it',
  },
  'row added': {
    change: 'A row is added to `mission`, `simulation`, `token`, `tool`, `invoice`, `receipt` or `worker`',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'row removed': {
    change: 'A row of `mission`, `simulation`, `token`, `tool`, `invoice`, `receipt`, `wallet` or `worker` is removed',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'witness row': {
    change: 'A row is added to `witness` or removed from it',
    finder: 'the command that shows it',
    repair: rebuild,
    note: rebuilt,
  },
  'applied entry': {
    change: 'The entry that a projection last applied is altered',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'older projection': {
    change: 'The version of a projection is lowered, or its row is removed',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'newer projection': {
    change: 'The version of a projection is raised, or a projection with an unknown name is added',
    finder: 'every command',
    newer: true,
    note: readAsNewer,
  },
  'migration altered': {
    change: 'A recorded migration is removed, its checksum is altered, or its time is removed',
    finder: 'every command',
  },
  'newer migration': {
    change: 'A migration with an unknown name is recorded',
    finder: 'every command',
    newer: true,
    note: readAsNewer,
  },
  'migration time': { change: '`at` of a migration is another time', finder: 'nothing', note: 'No command reads it' },
  'schema altered': {
    change: 'A trigger, index, view, table or column is added, removed or altered',
    finder: 'every command',
    mayRepair: 'rebuild',
    note: '`rebuild` writes the tables of projections again, and removes tables and views that are not the journal’s',
  },
  'projection dropped': {
    change: 'A table or an index of a projection is dropped',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'entry hidden': { change: 'An index of `events` or `blob` lacks a row', finder: 'verify' },
  'row hidden': {
    change: 'An index of a projection lacks a row',
    finder: 'verify --deep',
    differs: 'any',
    note: rebuilt,
    repair: rebuild,
  },
  'row without key smuggled': {
    change: 'The index of idempotency keys holds runs that have none',
    finder: 'nothing',
    note: 'A search for a key never meets them',
  },
  'row smuggled': {
    change: 'The index of approved missions holds others',
    finder: 'verify --deep',
    differs: 'any',
    note: rebuilt,
    repair: rebuild,
  },
  'file layout': {
    change: 'VACUUM or ANALYZE is run; the page size, `user_version` or the journal mode is changed',
    finder: 'nothing',
    note: 'The rows are the same',
  },
  'byte of the database file': {
    change: 'A byte anywhere in `journal.sqlite3` is altered',
    finder: 'verify --deep',
    differs: 'any',
    orNothing: true,
    note: 'Unless the rows are the same',
  },
  ...fileGroups,
} as const satisfies Readonly<Record<string, Group>>;

export type GroupName = keyof typeof groups;
export const groupNames = Object.keys(groups) as readonly GroupName[];
export const groupOf = (name: GroupName): Group => groups[name];
