/** Changes of the rows that say which program made the tables: migrations and versions of projections. */
import type { Db } from '../../../src/store/database.js';
import { addRow, chanceOf, removeRow, rowsOf, setValue, withOtherByte, withOtherType, type Row, type Value } from '../alter.js';
import { ofCell, ofRows, type Change, type Homes } from '../change.js';
import type { GroupName } from '../groups.js';

interface Migration {
  readonly name: string;
  readonly sha256: string;
  readonly at: string;
}

type Projection = Row & {
  readonly name: string;
  readonly version: number;
  readonly behind: number;
};

function migrationChanges(db: Db): readonly Change[] {
  const rows = rowsOf<Migration>(db, 'migration');
  const each = rows.flatMap(({ name: where, sha256, at }) => {
    const key = { name: where };
    const altered = (group: GroupName, column: string, kind: string, value: Value): Change =>
      ofCell({ group, kind: `${column}: ${kind}`, where }, { table: 'migration', key, column, value });
    return [
      altered('migration altered', 'sha256', 'a byte', withOtherByte(sha256, chanceOf(where))),
      altered('migration altered', 'sha256', 'in upper case', sha256.toUpperCase()),
      altered('migration altered', 'sha256', 'another type', withOtherType(sha256)),
      altered('migration altered', 'sha256', 'null', null),
      ofRows({ group: 'migration altered', kind: 'removed', where }, (db) => removeRow(db, 'migration', key)),
      altered('newer migration', 'name', 'another', `9${where}`),
      altered('migration time', 'at', 'another', at.replace('2026', '2025')),
      altered('migration altered', 'at', 'empty', ''),
    ];
  });
  const added = (name: string): Change =>
    ofRows({ group: 'newer migration', kind: `added ${name}` }, (db) => addRow(db, 'migration', { name, sha256: 'aa', at: '' }));
  return [
    ...each,
    ofRows({ group: 'migration altered', kind: 'all removed' }, (db) => db.exec('DELETE FROM migration')),
    added('9999-later.sql'),
    added('0000-earlier.sql'),
  ];
}

const forgeries: Readonly<Record<string, string>> = {
  control: "UPDATE control SET state = 'paused'",
  missions: "UPDATE mission SET goal = 'forged'",
  simulations: "UPDATE simulation SET state = 'failed'",
  tokens: "UPDATE token SET role = 'admin'",
  tools: "UPDATE tool SET status = 'active'",
  witnesses: "UPDATE witness SET url = 'https://elsewhere.example'",
};

function projectionChanges(db: Db): readonly Change[] {
  const rows = rowsOf<Projection>(db, 'projection');
  const each = rows.flatMap(({ name: where, version, behind }) => {
    const key = { name: where };
    const altered = (group: GroupName, column: string, kind: string, value: Value): Change =>
      ofCell({ group, kind: `${column}: ${kind}`, where }, { table: 'projection', key, column, value });
    // Forged rows come to light, or are gone, with the version.
    const forge = (db: Db): void => void db.exec(forgeries[where] ?? '');
    return [
      altered('projection behind', 'behind', 'lower', behind - 1),
      altered('projection behind', 'behind', 'higher', behind + 1),
      altered('projection behind', 'behind', 'another type', withOtherType(behind)),
      altered('newer projection', 'version', 'raised', version + 1),
      altered('newer projection', 'name', 'another', `${where}2`),
      altered('older projection', 'version', 'another type', `${version} or so`),
      altered('older projection', 'version', 'far lower', -(10 ** 12)),
      ofRows({ group: 'older projection', kind: 'lowered', where }, (db) => {
        setValue(db, 'projection', key, 'version', version - 1);
        forge(db);
      }),
      ofRows({ group: 'older projection', kind: 'removed', where }, (db) => {
        removeRow(db, 'projection', key);
        forge(db);
      }),
    ];
  });
  return [
    ...each,
    ofRows({ group: 'older projection', kind: 'all removed' }, (db) => db.exec('DELETE FROM projection')),
    ofRows({ group: 'newer projection', kind: 'added' }, (db) => addRow(db, 'projection', { ...rows[0]!, name: 'prices' })),
  ];
}

export const versionChanges = ({ db }: Homes): readonly Change[] => [...migrationChanges(db), ...projectionChanges(db)];
