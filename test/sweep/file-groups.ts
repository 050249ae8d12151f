/** The groups of changes to the files of a home and to whole homes. */
import { readAsNewer, type Group } from './group.js';

export const fileGroups = {
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
    differs: ['backup'],
    note: 'The file defines the built-in token; whoever can write it can read `identity.key`',
  },
  'files without data': {
    change: '`lock.sqlite3` or `ballast` is removed, emptied or altered; other files are added',
    finder: 'nothing',
    differs: ['doctor', 'runs'],
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
    note: readAsNewer,
  },
  'log cut': { change: 'The write-ahead log that a killed process left is removed, cut or altered', finder: 'every command' },
  'log complete': {
    change: 'The write-ahead log that a killed process left is complete',
    finder: 'nothing',
    differs: ['doctor', 'runs'],
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
