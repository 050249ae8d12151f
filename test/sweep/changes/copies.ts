/** Older copies and other homes put in the place of a home, the log of a killed process, and the witness directory. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as act from '../alter.js';
import { change, type Change, type Homes } from '../change.js';
import type { HomeName } from '../homes.js';
import { copyTree } from '../../support/app/temporary-home.js';

type Apply = Change['apply'];

/** The home of a killed process holds the same as one that was closed. */
const killed = { of: 'unclean', like: 'grown' } as const;
const inLog =
  (alter: act.Act): Apply =>
  ({ journal }) =>
    alter(`${journal}-wal`);

const logCuts: Readonly<Record<string, act.Act>> = {
  removed: act.remove,
  empty: act.empty,
  halved: act.halve,
  'the header alone': act.cutTo(32),
  'a byte of its header': act.flipAt(9),
  'its salt': act.flipAt(18),
  'a byte of its first page': act.flipAt(32 + 24 + 2_000),
};

const logChanges: readonly Change[] = [
  ...Object.entries(logCuts).map(([kind, alter]) => change({ group: 'log cut', kind, ...killed }, inLog(alter))),
  change({ group: 'log complete', kind: 'as it is', ...killed }, () => undefined),
  change({ group: 'log complete', kind: 'junk after it', ...killed }, inLog(act.append(randomBytes(4_120)))),
  change({ group: 'log complete', kind: 'without shared memory', ...killed }, ({ journal }) => act.remove(`${journal}-shm`)),
];

function copyChanges({ at }: Homes): readonly Change[] {
  const put =
    (name: HomeName, ...parts: readonly ('home' | 'witness')[]): Apply =>
    (place) => {
      for (const part of parts) {
        rmSync(place[part], { recursive: true });
        copyTree(at(name)[part], place[part]);
      }
    };
  const putJournal =
    (name: HomeName): Apply =>
    ({ journal }) =>
      cpSync(at(name).journal, journal);
  const withoutWitness =
    (apply: Apply): Apply =>
    (place) => {
      apply(place);
      rmSync(place.witness, { recursive: true });
    };
  const grown = { of: 'grown', like: 'grown' } as const;
  const group = 'older copy without witness';
  return [
    change({ group: 'older copy', kind: 'without the newest entries', ...grown }, put('main', 'home')),
    change({ group: 'older copy', kind: 'its journal alone', ...grown }, putJournal('main')),
    change({ group: 'older copy', kind: 'with other entries', ...grown }, put('forked', 'home')),
    change({ group: 'older copy', kind: 'from before an accepted rollback' }, put('lost', 'home')),
    change({ group: 'older copy', kind: 'from before an accepted rollback, its journal alone' }, putJournal('lost')),
    change({ group: 'older copy', kind: 'from before a restore in its place', of: 'superseded' }, put('main', 'home')),
    change({ group: 'restored copy', kind: 'one beside it' }, put('practised', 'witness')),
    change({ group, kind: 'without the newest entries' }, put('earlier', 'home', 'witness')),
    change({ group, kind: 'with other entries' }, withoutWitness(put('branched', 'home'))),
    change({ group, kind: 'from before an accepted rollback' }, withoutWitness(put('lost', 'home'))),
    change({ group: 'other home', kind: 'a new one' }, withoutWitness(put('other', 'home'))),
    change({ group: 'other home', kind: 'a new one with its witness' }, put('other', 'home', 'witness')),
  ];
}

const witnessFiles: Readonly<Record<string, act.Act>> = {
  removed: act.remove,
  empty: act.empty,
  junk: act.write('junk'),
  binary: act.write(Buffer.of(0xff, 0xfe)),
  large: act.write('x'.repeat(100_000)),
  'a byte': act.flipAt(100),
  'mode 644': act.setMode(0o644),
  'a directory in its place': act.makeDirectory,
};

function witnessChanges({ at }: Homes): readonly Change[] {
  const group = 'witness file';
  const older: Apply = ({ witness }) => copyTree(at('main').witness, witness);
  return [
    ...Object.entries(witnessFiles).map(([kind, alter]) =>
      change({ group, kind }, ({ witness }) => {
        for (const name of readdirSync(witness)) alter(join(witness, name));
      }),
    ),
    change({ group, kind: 'older', of: 'grown', like: 'grown' }, older),
    change({ group, kind: 'the directory removed' }, ({ witness }) => rmSync(witness, { recursive: true })),
    change({ group, kind: 'the directory emptied' }, ({ witness }) => {
      rmSync(witness, { recursive: true });
      mkdirSync(witness, { mode: 0o700 });
    }),
    change({ group, kind: 'a file in place of the directory' }, ({ witness }) => {
      renameSync(witness, `${witness}-old`);
      writeFileSync(witness, '');
    }),
  ];
}

export const placeChanges = (homes: Homes): readonly Change[] => [...logChanges, ...copyChanges(homes), ...witnessChanges(homes)];
