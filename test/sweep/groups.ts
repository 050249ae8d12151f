/** The groups of changes, each with what finds it. The table in docs/journal-format.md is made of them. */
import type { ProbeName } from './probes.js';

/**
 * What finds a change at the latest:
 * - `every command`: all but those that work on damage (`works`, `prints` in probes.ts);
 * - `the command that shows it`: those that a change names, and `verify`;
 * - `verify`: also `verify --deep`;
 * - `verify --against`: only a comparison with a checkpoint, a head or an export from elsewhere;
 * - `nothing`: every command does and prints what it did before.
 */
export const finders = [
  'every command',
  'the command that shows it',
  'verify',
  'verify --deep',
  'verify --against',
  'nothing',
] as const;
export type Finder = (typeof finders)[number];

export interface Group {
  /** The first column of the table. */
  readonly change: string;
  readonly finder: Finder;
  /** Refused as data of a newer program, with exit code 4; `list`, `show`, `export` and `verify` read it. */
  readonly newer?: true;
  /** What the table says besides: why nothing or no earlier finder finds it, or what repairs it. */
  readonly note?: string;
  /** Commands whose output may differ although they find nothing. */
  readonly differs?: readonly ProbeName[] | 'any';
  /** A change that leaves every row as it was is found by nothing. */
  readonly orNothing?: true;
  /** The command that repairs it, after which the home is as before. */
  readonly repair?: readonly string[];
  /** The next entry that is recorded replaces what is altered. */
  readonly isReplaced?: true;
  /** A command that either refuses, or repairs it: then `verify --deep` passes. */
  readonly mayRepair?: ProbeName;
}

const readAsNewer =
  'Refused as data of a newer version (exit 4); `list`, `show`, `export` and `verify` use only the entries, and an export lacks `newest`';

const fileGroups = {
  'database file': {
    change: '`journal.sqlite3` or `lock.sqlite3` is replaced by another file; `journal.sqlite3` is removed, emptied or cut',
    finder: 'every command',
  },
  'key file': {
    change: '`identity.key` is removed, cut, altered or replaced',
    finder: 'every command',
  },
  configuration: {
    change: '`config.json` is removed, cut or altered',
    finder: 'every command',
    repair: ['configure', '--restore-signed'],
    note: '`configure --restore-signed` repairs it',
  },
  permissions: {
    change: '`api.token` is removed, or others can read the home or a private file',
    finder: 'every command',
  },
  'token text': {
    change: '`api.token` holds another text',
    finder: 'nothing',
    differs: ['backup', 'doctor'],
    note: '`doctor` names an empty one. The file defines the built-in token; whoever can write it can read `identity.key`',
  },
  'files without data': {
    change: '`lock.sqlite3` or `ballast` is removed, emptied or altered; other files are added',
    finder: 'nothing',
    differs: ['doctor', 'runs', 'runs first', 'runs second'],
    note: 'They hold no data and are recreated; `doctor` warns. A write-ahead log of junk counts as one that a killed process left',
  },
  'attempt lock': {
    change: 'The lock file of an attempt in `running` is removed, or one is added',
    finder: 'nothing',
    differs: 'any',
    note: 'Without it an attempt is judged by its lease',
  },
  'newer lock': {
    change: '`lock.sqlite3` names a newer version',
    finder: 'every command',
    newer: true,
    differs: ['export'],
    note: readAsNewer,
  },
  'log cut': { change: 'The write-ahead log that a killed process left is removed, cut or altered', finder: 'every command' },
  'log complete': {
    change: 'The write-ahead log that a killed process left is complete',
    finder: 'nothing',
    differs: ['doctor', 'runs', 'runs first', 'runs second'],
    note: 'It holds whole transactions; `doctor` and `runs` report the kill',
  },
  'older copy': {
    change:
      'The home is replaced by an older copy (also one from before an accepted rollback or a restore), or by a copy with other entries',
    finder: 'every command',
    note: 'The witness file shows it',
  },
  'older copy without witness': {
    change: 'The home is replaced by an older copy, or by one with other entries, and so are the witness files',
    finder: 'verify --against',
    differs: 'any',
    note: 'Nothing inside a home can reveal it',
  },
  'restored copy': {
    change: 'A backup is restored beside the home, without `--supersede`',
    finder: 'nothing',
    note: 'The restored home is a branch of its own',
  },
  'other home': {
    change: 'The home is replaced by one with another key',
    finder: 'verify --against',
    differs: 'any',
    note: 'Nothing inside a home can reveal it',
  },
  'witness file': {
    change: 'The witness file is removed, altered or replaced by an older one',
    finder: 'nothing',
    differs: ['doctor'],
    note: 'It is written again; `doctor` warns',
  },
} as const satisfies Readonly<Record<string, Group>>;

const rebuild = ['rebuild'] as const;
const rebuilt = '`rebuild` repairs it';

export const groups = {
  'entry altered': {
    change:
      'A value of an entry is altered: a byte, a forged text with the matching hash, another type, the value of another entry',
    finder: 'the command that shows it',
  },
  'entry added': {
    change: 'An entry is added: at sequence 0 or below, after the newest entry, or far beyond it',
    finder: 'the command that shows it',
  },
  'entry removed': { change: 'One or more entries are removed', finder: 'the command that shows it' },
  'entry moved': {
    change: 'An entry is moved to another sequence, or two entries are exchanged',
    finder: 'the command that shows it',
  },
  'tile altered': { change: 'A tile is altered, removed, moved or added', finder: 'the command that shows it' },
  'newest checkpoint': {
    change: 'The newest checkpoint is altered or removed, or one is added beyond the newest entry',
    finder: 'every command',
  },
  'checkpoint altered': {
    change: 'A cosigned checkpoint is altered, moved, or removed without its cosignature',
    finder: 'verify',
    differs: ['witness list'],
  },
  'checkpoint added': { change: 'A checkpoint is added that is neither the newest nor cosigned', finder: 'verify' },
  'note lengthened': {
    change: 'A signature line is added to a stored checkpoint, or its own line is repeated',
    finder: 'verify',
    differs: ['checkpoint', 'proof', 'export', 'publish', 'backup'],
    isReplaced: true,
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
    change:
      'A row of `mission`, `simulation`, `sweep`, `token`, `tool`, `witness`, `invoice`, `receipt`, `wallet`, `approver` or `worker` is altered',
    finder: 'the command that shows it',
    differs: ['list --state review'],
    repair: rebuild,
    note: 'A filtered list does not show a row with another state; `rebuild` repairs it',
  },
  'row added': {
    change: 'A row is added to `mission`, `simulation`, `sweep`, `token`, `tool`, `invoice`, `receipt`, `approver` or `worker`',
    finder: 'the command that shows it',
    repair: rebuild,
    note: rebuilt,
  },
  'row removed': {
    change:
      'A row of `mission`, `simulation`, `sweep`, `token`, `tool`, `invoice`, `receipt`, `wallet`, `approver` or `worker` is removed',
    finder: 'the command that shows it',
    repair: rebuild,
    note: rebuilt,
  },
  'witness row': {
    change: 'A row is added to `witness` or removed from it',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'projection behind': {
    change: 'A projection is marked as behind the entries',
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
    differs: ['export'],
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
    differs: ['export'],
    note: readAsNewer,
  },
  'migration time': { change: '`at` of a migration is another time', finder: 'nothing', note: 'No command reads it' },
  'schema altered': {
    change: 'A trigger, index, view, table or column is added, removed or altered',
    finder: 'every command',
    mayRepair: 'rebuild',
    note: '`rebuild` writes the tables of projections, indexes and triggers again, and removes what is not the journal’s; an altered table of the journal itself needs a backup',
  },
  'projection dropped': {
    change: 'A table or an index of a projection is dropped',
    finder: 'every command',
    repair: rebuild,
    note: rebuilt,
  },
  'entry hidden': { change: 'An index of `events` or `blob` lacks a row', finder: 'verify' },
  'newest entry hidden': {
    change:
      'The newest entry of a mission, token, run or anything else is hidden, by its column or by the index, and the row is as it was before it',
    finder: 'the command that shows it',
  },
  'snapshot altered': {
    change:
      'A value of the snapshot’s note, of a node of its trees, or of the rows beside them is altered, moved, added or removed',
    finder: 'verify',
    repair: rebuild,
    note: 'A command that reads the node finds it; where the note is not valid, the snapshot is made again of all entries. `rebuild` repairs it',
  },
  'snapshot replaced': {
    change: 'The snapshot is replaced by an earlier one of this home, or removed',
    finder: 'nothing',
    note: 'With the entries after it, it says the same',
  },
  'row hidden': {
    change: 'An index of a projection lacks a row',
    finder: 'verify',
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
    finder: 'verify',
    differs: 'any',
    orNothing: true,
    note: 'Unless no row is another: the byte is unused. `verify --deep` also reads what no row uses',
  },
  ...fileGroups,
} as const satisfies Readonly<Record<string, Group>>;

export type GroupName = keyof typeof groups;
export const groupNames = Object.keys(groups) as readonly GroupName[];
export const groupOf = (name: GroupName): Group => groups[name];
