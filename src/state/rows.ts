/**
 * Tables that a codec declares: each of its members is a column, the first one the primary key. The SQL text and the conversion between a row
 * and its values follow from the codec.
 */
import type * as t from 'io-ts';
import { canonicalJson } from '../base/canonical-json.js';
import type { Fields } from '../codec/field.js';
import { ChoiceType, decode, EitherType, NumberType, RefinedType, TextType } from '../codec/kit.js';
import { type Declaration, decoded, defineTable, parsed, type Row, type Table, type Value } from './table.js';

interface RowCodec<A> extends t.Decoder<unknown, A> {
  readonly fields: Fields;
}

interface RowForm<A> {
  readonly columns: readonly string[];
  readonly ddl: string;
  readonly write: (values: A) => Row;
  /** @throws RefusalError `integrity` for a row that does not fit the codec */
  readonly read: (row: Row) => A;
}

/**
 * Returns the form of the rows of a table: a column for each member of the codec, the first one the primary key.
 * @param unique other columns of which no two rows have the same value
 * @param isSingle whether there is at most one row, which has the number 1 before its members
 */
export function rowForm<A extends object>(
  table: string,
  codec: RowCodec<A>,
  unique: readonly string[] = [],
  isSingle = false,
): RowForm<A> {
  const number = isSingle ? [1] : [];
  const columns = Object.entries(codec.fields).map(([name, field]) => ({ name, ...columnOf(field.codec) }));
  const defined = columns.map(({ name, type, isNullable = false }, i) =>
    i === 0 && !isSingle
      ? `  ${name} ${type} PRIMARY KEY`
      : `  ${name} ${type}${isNullable ? '' : ' NOT NULL'}${unique.includes(name) ? ' UNIQUE' : ''}`,
  );
  if (isSingle) defined.unshift('  id INTEGER PRIMARY KEY CHECK (id = 1)');
  return {
    columns: [...number.map(() => 'id'), ...columns.map(({ name }) => name)],
    ddl: `CREATE TABLE ${table}(\n${defined.join(',\n')}\n) STRICT;\n`,
    write(values) {
      const members = new Map<string, unknown>(Object.entries(values));
      return [...number, ...columns.map(({ name, isJson = false }) => stored(members.get(name) ?? null, isJson))];
    },
    read(row) {
      const members = columns.map(({ name, isJson = false, isFlag = false }, i): [string, unknown] => {
        const value = row[number.length + i] ?? null;
        if (isJson && value !== null) return [name, parsed(table, value)];
        return [name, isFlag && (value === 0 || value === 1) ? value === 1 : value];
      });
      return decoded(table, decode(codec, Object.fromEntries(members)));
    },
  };
}

/** A flag is stored as 0 or 1, an object or a list as canonical JSON. */
function stored(value: unknown, isJson: boolean): Value {
  if (isJson && value !== null) return canonicalJson(value);
  return typeof value === 'boolean' ? Number(value) : (value as Value);
}

interface Column {
  readonly type: 'INTEGER' | 'TEXT';
  readonly isNullable?: boolean;
  readonly isFlag?: boolean;
  readonly isJson?: boolean;
}

function columnOf(codec: t.Mixed): Column {
  if (codec instanceof EitherType && codec.first.is(null)) return { ...columnOf(codec.second), isNullable: true };
  if (codec instanceof RefinedType) return columnOf(codec.base);
  if (codec instanceof NumberType) return { type: 'INTEGER' };
  if (codec instanceof TextType) return { type: 'TEXT' };
  if (!(codec instanceof ChoiceType)) return { type: 'TEXT', isJson: true };
  return codec.is(true) || codec.is(false) ? { type: 'INTEGER', isFlag: true } : { type: 'TEXT' };
}

type RowDeclaration<State> = Omit<Declaration<State>, 'columns' | 'ddl' | 'rowsOf' | 'stateOf'> & {
  readonly row: RowCodec<State>;
  readonly unique?: readonly string[];
};

/** Defines a table of which a row's values are the state; that of a single stream has one row. */
export function defineRowTable<State extends object>({ row: codec, unique, ...declared }: RowDeclaration<State>): Table<State> {
  const { write, read, ...form } = rowForm(declared.name, codec, unique, declared.key === null);
  return defineTable<State>({
    ...declared,
    ...form,
    rowsOf: (state) => [write(state)],
    stateOf: ([row]) => (row === undefined ? null : read(row)),
  });
}
