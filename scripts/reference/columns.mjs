/** docs/reference/columns.md: the names by which columns are found, from the one table of them, and how cells are read. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../machine.mjs';
import { table } from './markdown.mjs';

const titles = { forecast: 'Forecast', schedule: 'Schedule', allocation: 'Allocation' };

const after = {
  forecast: 'Without dates the rows are equal steps. A column that is neither is left out, and a note names it.',
  schedule:
    'In the wide form a row is a job, and its columns are numbered pairs: `machine1`, `duration1`, `machine2`, … in any of these names (`Maschine 1`, `Temps 1`).',
  allocation: 'The budget is not in the file: `--set budget=250000`.',
};

const cells = [
  ["`9,050` `9.050,00` `9 050` `1'234`", 'numbers; the column decides which mark is which, otherwise it is asked (`--decimal`)'],
  [
    '`€45,000.00` `45 000 EUR` `12 %` `(300)` `−5` `300-` `1e6`',
    'numbers; a unit or currency that all cells have is the unit of the column, and 12 % is 12',
  ],
  [
    '`1:30` `1h30` `90 min` `1.5 h` `2 d`',
    'durations, which must be whole numbers of the unit of the mission; a day is 24 hours',
  ],
  [
    '`2024-01-31` `2024-01` `31.01.2024` `01/31/2024` `31 Jan 2024` `janv. 2024` `Q1 2024` `2024-W05` `20240131`',
    'dates, also with a time; the column decides whether the day or the month is first, otherwise it is asked (`--date-order`)',
  ],
  [
    'blank, `-`, `n/a`, `NA`, `null`, `NaN`',
    'missing, never zero: a default, a fault where the column is needed, a gap in a series (`--gaps`)',
  ],
];

export async function columnsPage() {
  const { columnMembers } = await import(pathToFileURL(join(root, 'dist', 'src', 'intake', 'mapping', 'synonyms.js')).href);
  const names = (list) => [...new Set(list)].join(', ');
  return [
    '# Columns of a table',
    'A table becomes a mission by the names of its columns. Case, accents, spaces, underscores and a unit in parentheses or after the word "in", as in "Kosten in €", do not count: `WORK_CENTRE` and `Work centre (hall 2)` are the same. `--map "Column=member"` decides otherwise, and `--map "Column=-"` leaves a column out.',
    ...Object.entries(columnMembers).flatMap(([kind, members]) => [
      `## ${titles[kind]}`,
      table(
        ['Member', 'Meaning', 'English', 'French', 'German'],
        members.map((each) => [
          each.needed ? `**${each.name}**` : each.name,
          each.meaning,
          names(each.english),
          names(each.french),
          names(each.german),
        ]),
      ),
      after[kind],
    ]),
    'A mission needs the members in bold.',
    '## Cells',
    'A column is read as a whole: the reading that fits every cell wins, and where two fit nothing is guessed.',
    table(['Cells', 'Read as'], cells),
  ].join('\n\n');
}
