/** The form of an allocation mission: items to choose from, and what limits the choice. */
import { isNumeric, typedText } from '../../../kit/forms/values.js';
import type { Cells, Place } from '../../../kit/grid/cells.js';
import { Ids, isMade, nameOf, rowValues, tableRows } from '../shared/tables.js';
import { fieldsOf, formFor, plainMembers, type WorkOf } from '../shared/draft.js';
import { words } from './words.js';

const itemNames = ['id', 'title', 'cost', 'value', 'risk', 'group', 'requires', 'excludes', 'required'] as const;
/** Cells of a row: those of its columns, then the id that a file or the page gave the item. */
const col = Object.fromEntries([...itemNames, 'made'].map((name, i) => [name, i])) as Readonly<
  Record<(typeof itemNames)[number] | 'made', number>
>;
const lists = ['requires', 'excludes'] as const;
const itemFields = fieldsOf('allocation', 'items');
/** How people mark an item that must be chosen, or one that need not be. */
const marks = { yes: /^(?:x|✓|1|yes|oui|true)$/i, no: /^(?:|0|-|no|non|false)$/i };

type Item = WorkOf<'allocation'>['items'][number];

const markOf = (text: string): unknown => (marks.yes.test(text) ? true : marks.no.test(text) ? undefined : text);

const namesIn = (text: string): readonly string[] =>
  text
    .split(/[;,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function write(work: Readonly<Record<string, unknown>>): Cells {
  const items = (work['items'] ?? []) as readonly Item[];
  const names = new Map(items.map((item) => [item.id, nameOf(item)]));
  // A name that would be read as two stays an id.
  const shown = (id: string): string => {
    const name = names.get(id) ?? id;
    return namesIn(name).length === 1 ? name : id;
  };
  return items.map((item) => {
    const texts = itemNames.map((name) => typedText(item[name]));
    if (isMade(item)) texts[col.id] = '';
    texts[col.required] = item.required === true ? 'x' : '';
    for (const list of lists) texts[col[list]] = (item[list] ?? []).map(shown).join('; ');
    return [...texts, isMade(item) ? item.id : ''];
  });
}

function read(cells: Cells): unknown {
  const rows = tableRows(cells);
  const ids = new Ids('item');
  const given = rows.map(({ texts }) => texts[col.id] ?? '');
  given.forEach((id) => ids.know(id, id));
  const known = rows.map(({ texts }, i) => {
    const title = texts[col.title] ?? '';
    const id = given[i] === '' ? (texts[col.made] ?? '') : (given[i] ?? '');
    ids.know(title, id);
    ids.know(id, id);
    return id === '' ? ids.of(title) : id;
  });
  return rows.map(({ texts }, i) => {
    const { requires: _requires, excludes: _excludes, ...values } = rowValues(itemNames, itemFields, texts);
    const named = lists.map((list) => [list, namesIn(texts[col[list]] ?? '')] as const).filter(([, names]) => names.length > 0);
    const resolved = named.map(([list, names]) => [list, names.map((name) => ids.of(name))] as const);
    return { ...values, id: known[i], ...Object.fromEntries(resolved), required: markOf(texts[col.required] ?? '') };
  });
}

/** Returns the cell of a path of the mission file. */
const cellOf = (cells: Cells): ((path: string) => Place | null) => {
  const rows = tableRows(cells);
  return (path) => {
    const [, place, member] = /^work\.items\[(\d+)\](?:\.(\w+))?/.exec(path) ?? [];
    if (place === undefined) return null;
    return {
      row: rows[Number(place)]?.row ?? 0,
      col: Math.max(
        0,
        itemNames.findIndex((name) => name === member),
      ),
    };
  };
};

export const form = formFor('allocation', {
  parts: [plainMembers('allocation', 'items'), 'items'],
  tables: {
    items: {
      read,
      write,
      cellOf,
      columns: (language) => {
        const { members } = words[language].fields.items;
        return itemNames.map((name) => ({ name, label: members[name].label, numeric: isNumeric(itemFields[name]) }));
      },
    },
  },
});
