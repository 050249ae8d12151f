/** Series as people have them: exports of banks, of ERP and analytics programs, of spreadsheets in three languages, of R and pandas. */
import assert from 'node:assert/strict';
import type { IntakeOptions } from '../../../src/codec/api-intake.js';
import { choicesOf, counted, lines, messagesOf, notesOf, two, workOf } from './paste.js';
import { membersOf } from '../../support/lists.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monate = ['Jan', 'Feb', 'Mrz', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];
const month = (i: number): string => `${2023 + Math.floor(i / 12)}-${two((i % 12) + 1)}`;
const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);

interface Paste {
  readonly title: string;
  readonly text: string;
  readonly options?: IntakeOptions;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly notes?: RegExp;
}

const pastes: readonly Paste[] = [
  {
    title: 'the export of a German bank, by month',
    text: `"Kontonummer:";"DE12 3456"\n"Zeitraum:";"01.01.2024 - 31.12.2024"\n\n"Buchungstag";"Wertstellung";"Verwendungszweck";"Betrag (€)";"Saldo (€)"\n${lines(
      366,
      (i) => `"${day(i).split('-').reverse().join('.')}";"${day(i)}";"Miete; Nr. ${i}";"-1,50";"1.200,10"`,
    )}`,
    options: { column: 'Betrag (€)', every: 'month', sum: true },
    expected: { observations: counted(12, (i) => new Date(2024, i + 1, 0).getDate() * -1.5), start: '2024-01-01', unit: 'EUR' },
  },
  {
    title: 'minus signs behind the number, and periods as months and years, as SAP writes them',
    text: `Periode\tBetrag in HW\n${lines(14, (i) => `0${two((i % 12) + 1)}.${2023 + Math.floor(i / 12)}\t1.${200 + i},00${i === 3 ? '-' : ''}`)}`,
    expected: { observations: counted(14, (i) => (i === 3 ? -1203 : 1200 + i)), start: '2023-01-01', step: { unit: 'month' } },
  },
  {
    title: 'months as bare numbers under a name that nobody knows',
    text: `CALPER;AMOUNT;CURRENCY\n${lines(14, (i) => `${month(i).replace('-', '')};${1000 + i}.50;EUR`)}`,
    expected: { observations: counted(14, (i) => 1000.5 + i), start: '2023-01-01', step: { unit: 'month' } },
  },
  {
    title: 'a German year and the names of months',
    text: `Jahr;Monat;Umsatz\n${lines(12, (i) => `2023;${monate[i]};${500 + i},5`)}`,
    expected: { observations: counted(12, (i) => 500.5 + i), start: '2023-01-01', step: { unit: 'month' } },
  },
  {
    title: 'year, month and day of R',
    text: `"","year","month","day","flights"\n${lines(20, (i) => `"${i + 1}",2024,1,${i + 1},${i}`)}`,
    expected: { observations: counted(20, (i) => i), start: '2024-01-01', step: { unit: 'day' } },
  },
  {
    title: 'quarters and years in columns',
    text: `Year\tQuarter\tOutput\n${lines(12, (i) => `${2020 + Math.floor(i / 4)}\tQ${(i % 4) + 1}\t${i}`)}`,
    expected: { observations: counted(12, (i) => i), start: '2020-01-01', step: { unit: 'quarter' } },
  },
  ...[(hour: number) => `Uhrzeit ${two(hour)}:00`, (hour: number) => `Heures ${hour + 1}`].map((write) => ({
    title: `days and hours in columns, above their total and mean: ${write(0)}`,
    text: `Datum;${write(0).split(' ')[0]};Last (kW)\n${lines(30, (i) => `0${1 + Math.floor(i / 24)}.03.2024;${write(i % 24).split(' ')[1]};${i},5`)}\nSumme;;450,0\nMittelwert;;15,0`,
    expected: { observations: counted(30, (i) => i + 0.5), start: '2024-03-01T00:00:00Z', step: { unit: 'hour' } },
  })),
  ...[(hour: number) => `${two(hour)}:00`, (hour: number) => `HE${two(hour + 1)}`, (hour: number) => `${hour + 1}`].map(
    (write) => ({
      title: `a row for each day and a column for each hour: ${write(0)}`,
      text: `Date,${counted(24, write).join(',')},H25,Total\n2024-03-01,${counted(24, (i) => i).join(',')},7,283\n2024-03-02,24,25${','.repeat(24)}`,
      expected: { observations: counted(26, (i) => i), start: '2024-03-01T00:00:00Z', step: { unit: 'hour' } },
      notes: /Columns "H25", "Total" were left out\.$/m,
    }),
  ),
  {
    title: 'dates of Google Sheets with their weekday, durations beside them, and rows without a date',
    text: `Date\tVisits\tTime\n${lines(21, (i) => `Mon, Jan ${1 + i}, 2024\t${i + 100}\t0:${30 + i}`)}\n\t\t9:00\n\t\t9:15`,
    options: { column: 'Visits' },
    expected: { observations: counted(21, (i) => 100 + i), start: '2024-01-01', step: { unit: 'day' } },
  },
  {
    title: 'the frame of pandas with its index',
    text: `,ds,y\n${lines(14, (i) => `${i},${day(i)},${i * 1.5}`)}`,
    expected: { observations: counted(14, (i) => i * 1.5), start: '2024-01-01', step: { unit: 'day' } },
  },
  {
    title: 'a row of dates above a row of values',
    text: `Product\t${months.map((name) => `${name} 2024`).join('\t')}\nApples\t${counted(12, (i) => 100 + i).join('\t')}`,
    expected: { observations: counted(12, (i) => 100 + i), start: '2024-01-01', step: { unit: 'month' } },
  },
  {
    title: 'a row for each year and a column for each month, the last year unfinished',
    text: `Year,${months.join(',')}\n2023,${counted(12, (i) => 100 + i).join(',')}\n2024,200,201,,,,,,,,,,`,
    expected: { observations: [...counted(12, (i) => 100 + i), 200, 201], start: '2023-01-01', step: { unit: 'month' } },
  },
  {
    title: 'a table of Markdown',
    text: `| Month | Sales |\n|---|---:|\n${lines(12, (i) => `| ${month(i)} | ${i} |`)}`,
    expected: { observations: counted(12, (i) => i), start: '2023-01-01' },
  },
  {
    title: 'a meter by the quarter of an hour, gathered',
    text: `Zeitstempel;Verbrauch [kWh]\n${lines(96, (i) => `01.01.2024 ${two(Math.floor(i / 4))}:${two((i % 4) * 15)};0,25`)}`,
    options: { every: 'hour', sum: true },
    expected: { observations: counted(24, () => 1), start: '2024-01-01T00:00:00Z', step: { unit: 'hour' }, unit: 'kWh' },
  },
  {
    title: 'Unix time',
    text: `timestamp,value\n${lines(24, (i) => `${1_704_067_200 + i * 3_600},${i}`)}`,
    expected: { observations: counted(24, (i) => i), start: '2024-01-01T00:00:00Z', step: { unit: 'hour' } },
  },
  {
    title: 'offsets that change with daylight saving',
    text: `time,value\n${lines(12, (i) => (i < 6 ? `2024-03-31T0${i}:00:00+01:00`.replace(/T0[2-5].*/, (t) => `T0${Number(t[2]) + 1}:00:00+02:00`) : `2024-03-31T${two(i + 1)}:00:00+02:00`) + `,${i}`)}`,
    expected: { observations: counted(12, (i) => i), start: '2024-03-30T23:00:00Z', step: { unit: 'hour' } },
  },
  ...[{}, { every: 'day', sum: true }].map((options) => ({
    title: `the days of midnights under offsets that change, ${JSON.stringify(options)}`,
    text: `time,value\n${lines(12, (i) => `2024-03-${20 + i}T00:00:00+0${i < 11 ? 1 : 2}:00,${i}`)}`,
    options,
    expected: { observations: counted(12, (i) => i), start: '2024-03-20', step: { unit: 'day' } },
  })),
  {
    title: 'weeks as ranges of days',
    text: `Week,Orders\n${lines(12, (i) => `${day(i * 7)} - ${day(i * 7 + 6)},${100 + i}`)}`,
    expected: { observations: counted(12, (i) => 100 + i), start: '2024-01-01', step: { unit: 'week' } },
  },
  ...[(i: number) => `${i + 1}/2024`, (i: number) => `2024${two(i + 1)}`, (i: number) => `2024-${two(i + 1)}`].map((write) => ({
    title: `weeks that only the name of their column says: ${write(0)}`,
    text: `Kalenderwoche;Absatz\n${lines(12, (i) => `${write(i)};${100 + i}`)}`,
    expected: { observations: counted(12, (i) => 100 + i), start: '2024-01-01', step: { unit: 'week' } },
  })),
  {
    title: 'amounts in thousands of dollars',
    text: `Month,Revenue\n${lines(12, (i) => `${months[i]} 2024,$${i + 1}.2k`)}`,
    expected: { observations: counted(12, (i) => i + 1.2), unit: 'k USD' },
  },
  {
    title: 'an analytics export with comments above and a total without a name below',
    text: `# ---\n# All Data\n# 20240101-20240120\nDay Index,Users\n${lines(20, (i) => `1/${1 + i}/24,"1,${100 + i}"`)}\n,"22,190"`,
    options: { decimal: '.' },
    expected: { observations: counted(20, (i) => 1100 + i), start: '2024-01-01', step: { unit: 'day' } },
  },
  {
    title: 'a column of numbers alone',
    text: lines(14, (i) => `${100 + i}`),
    expected: { observations: counted(14, (i) => 100 + i) },
  },
  {
    title: 'a row of numbers alone',
    text: counted(14, (i) => 100 + i).join(', '),
    expected: { observations: counted(14, (i) => 100 + i) },
  },
  {
    title: 'periods that are only counted',
    text: `Week,Orders\n${lines(14, (i) => `${1 + i},${100 + i}`)}`,
    expected: { observations: counted(14, (i) => 100 + i) },
  },
  {
    title: 'dates in the second column',
    text: `Shop,When,Sold\n${lines(14, (i) => `North,${day(i)},${i}`)}`,
    expected: { observations: counted(14, (i) => i), start: '2024-01-01' },
  },
  {
    title: 'years',
    text: `Year,Yield\n${lines(15, (i) => `${2009 + i},${i}`)}`,
    expected: { observations: counted(15, (i) => i), start: '2009-01-01', step: { unit: 'year' } },
  },
  {
    title: 'the ends of quarters',
    text: `Date,Value\n${lines(12, (i) => `${new Date(Date.UTC(2021, 3 * i + 3, 0)).toISOString().slice(0, 10)},${i}`)}`,
    expected: { observations: counted(12, (i) => i), start: '2021-03-31', step: { unit: 'month_end', count: 3 } },
  },
  {
    title: 'every second week',
    text: `Date,Value\n${lines(12, (i) => `${day(i * 14)},${i}`)}`,
    expected: { observations: counted(12, (i) => i), start: '2024-01-01', step: { unit: 'week', count: 2 } },
  },
  {
    title: 'business days over a holiday, which is a gap',
    text: `Date,Value\n${lines(20, (i) => `${day(Math.floor(i / 5) * 7 + (i % 5))},${i === 7 ? '' : i}`)}`,
    options: { gaps: 'previous' },
    expected: { observations: [...counted(7, (i) => i), null, ...counted(12, (i) => i + 8)], step: { unit: 'business_day' } },
  },
  {
    title: 'a series with gaps near its end, whose holdout has two values all the same',
    text: `Date,Value\n${lines(20, (i) => `${day(i)},${i > 15 && i < 19 ? '' : i}`)}`,
    options: { gaps: 'previous' },
    expected: { holdout: 5 },
  },
  {
    title: 'months to come that have no values yet',
    text: `Month,Sales\n${lines(24, (i) => `${month(i)},${i < 14 ? i : ''}`)}`,
    expected: { observations: counted(14, (i) => i), gaps: undefined },
  },
  {
    title: 'a pivot table of Excel, with the total of a year and a note below it',
    text: `Periode X\tSum of Sales\n${lines(24, (i) => `${i === 12 ? '2023 Total\t66\n' : ''}${month(i)}\t${i}`)}\nGrand Total\t276\n* provisional`,
    expected: { observations: counted(24, (i) => i), start: '2023-01-01' },
    notes: /Row 14 is a subtotal of column "Sum of Sales" and left out\.\nRow 27 is the total/,
  },
  {
    title: 'years beside each other',
    text: `Monat;2022;2023\n${lines(12, (i) => `${monate[i]};${i};${12 + i}`)}\n`,
    expected: { observations: counted(24, (i) => i), start: '2022-01-01', step: { unit: 'month' } },
  },
  {
    title: 'blanks around quoted cells',
    text: `"Month" ; "Sales"\n${lines(14, (i) => `"${month(i)}" ; "${i}"`)}`,
    expected: { observations: counted(14, (i) => i), start: '2023-01-01' },
  },
  {
    title: 'payments of some days, gathered by week',
    text: `Date,Net\n${lines(40, (i) => `${day(i * i)},${i}.20`)}`,
    options: { every: 'month', sum: true, gaps: 'zero' },
    expected: { step: { unit: 'month' }, gaps: 'zero' },
  },
  {
    title: 'amounts of nothing as accountants write them',
    text: `Month,Sales\n${lines(14, (i) => `${month(i)},${i === 3 ? '€ -' : `€${i}.50`}`)}`,
    options: { gaps: 'zero' },
    expected: { observations: counted(14, (i) => i + 0.5).map((each, i) => (i === 3 ? null : each)), unit: 'EUR' },
  },
];

describe('series of people', () => {
  for (const { title, text, options, expected, notes } of pastes) {
    it(`reads ${title}`, async () => {
      const work = await workOf('forecast', text, options);
      for (const [member, value] of Object.entries(expected)) assert.deepEqual(work[member], value, member);
      if (notes) assert.match(await notesOf('forecast', text, options), notes);
    });
  }

  it('gathers into a coarser step, and leaves incomplete periods out unless told to keep them', async () => {
    const text = `Date,Value\n${lines(400, (i) => `${day(i + 14)},${i === 100 ? '' : 1}`)}`;
    assert.match(
      await notesOf('forecast', text, { every: 'monthly', sum: true }),
      /The incomplete month from 2024-01-01 and the one from 2025-02-01 was left out\.\n1 month has rows .*, such as 2024-04-01 \(row 102\); only the others count\./,
    );
    assert.deepEqual((await workOf('forecast', text, { every: 'month', sum: true }))['start'], '2024-02-01');
    const kept = await workOf('forecast', text, { every: 'month', sum: true, keepPartial: true });
    assert.deepEqual([kept['start'], Array.isArray(kept['observations']) && kept['observations'][0]], ['2024-01-01', 17]);
    assert.deepEqual(
      (await workOf('forecast', text, { every: 'month', mean: true }))['observations'],
      counted(12, () => 1),
    );
    assert.match(
      await messagesOf('forecast', text, { every: 'fortnight', sum: true }),
      /"fortnight" is no step; the steps are hour, day, week, month, quarter, year/,
    );
  });

  it('quotes a week that does not exist', async () => {
    for (const [head, cell] of Object.entries({ Week: '60/2026', 'Year,Week': '2026,60' })) {
      const rows = lines(12, (i) => `${cell.replace('60', String(i === 3 ? 60 : 10 + i))},${i}`);
      assert.match(await messagesOf('forecast', `${head},Value\n${rows}`), /row 5: "(?:60\/2026|2026-W60)"/);
    }
  });

  it('asks what several rows of a date count, and what gaps mean', async () => {
    for (const later of [0, 1]) {
      const sales = lines(28, (i) => `${day(Math.floor(i / 2))},${i % 2 ? 19 : 12}:${10 + later * i},${i}`);
      const [rows] = await choicesOf('forecast', `Date,Time,Value\n${sales}`, { column: 'Value' });
      const message = '14 dates have several rows, such as 2024-01-01 (rows 2 and 3). What counts?';
      assert.deepEqual([rows?.about, rows?.message], ['duplicates', message]);
    }
    const [gaps] = await choicesOf(
      'forecast',
      `Date,Value\n${lines(20, (i) => `${day(i < 9 ? i : i + 1)},${i === 3 ? 'n/a' : i}`)}`,
    );
    assert.deepEqual(
      [gaps?.about, gaps?.message],
      ['gaps', '2 values of the series are missing: 2024-01-04, 2024-01-10. What do the gaps mean?'],
    );
  });

  it('takes the rows of one name, such as those of a store', async () => {
    const text = `Month,Store,Sales\n${lines(28, (i) => `${month(Math.floor(i / 2))},${i % 2 ? 'Köln' : 'Bonn'},${i}`)}`;
    const [rows] = await choicesOf('forecast', text);
    assert.equal(rows?.flag, '--sum, --mean or --where COLUMN=TEXT');
    const options = rows.readings.map(({ option }) => option);
    assert.deepEqual(options, [{ sum: true }, { mean: true }, { where: { Store: 'Bonn' } }, { where: { Store: 'Köln' } }]);
    const { observations } = await workOf('forecast', text, { ...options[3], map: { Store: '-' } });
    assert.deepEqual(
      observations,
      Array.from({ length: 14 }, (_, i) => 2 * i + 1),
    );
    assert.match(await notesOf('forecast', text, options[3]), /Only the 14 of 28 rows with "Köln" in column "Store" were read/);
    const none = await messagesOf('forecast', text, { where: { Store: 'Rom' } });
    assert.match(none, /No row has "Rom" in column "Store"; the rows have "Bonn", "Köln"/);
    assert.match(await messagesOf('forecast', text, { where: { Shop: 'Bonn' } }), /There is no column "Shop"/);
  });

  it('asks which dates count where two columns have some, and takes none of them for the values', async () => {
    const text = `Ordered,Shipped,Boxes\n${lines(14, (i) => `${month(i)}-01,${month(i)}-05,${10 + i}`)}`;
    const german = text.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$3.$2.$1');
    assert.deepEqual(await choicesOf('forecast', german), await choicesOf('forecast', text));
    const [dates, ...more] = await choicesOf('forecast', text);
    assert.deepEqual([dates?.message, more], ['2 columns have dates: "Ordered", "Shipped". Which are those of the series?', []]);
    assert.deepEqual(membersOf(dates?.readings ?? [], 'option'), [{ dateColumn: 'Ordered' }, { dateColumn: 'Shipped' }]);
    for (const options of [{ dateColumn: 'Shipped' }, { map: { Ordered: '-' } }]) {
      const work = await workOf('forecast', text, options);
      assert.deepEqual([work['start'], work['observations']], ['2023-01-05', counted(14, (i) => 10 + i)]);
    }
    const hours = `Date,Hour,Value\n${lines(28, (i) => `${day(Math.floor(i / 2))},${i % 2},${i}`)}`;
    const days = await workOf('forecast', hours, { map: { Hour: '-' }, sum: true });
    assert.deepEqual([days['step'], days['observations']], [{ unit: 'day' }, counted(14, (i) => 4 * i + 1)]);
    const named = await workOf('forecast', text.replace('Ordered', 'Date'));
    assert.deepEqual([named['start'], named['observations']], ['2023-01-01', counted(14, (i) => 10 + i)]);
  });

  it('asks for several things at once', async () => {
    const choices = await choicesOf('forecast', `Date,Value\n${lines(12, (i) => `01/${two(i + 1)}/2024,"${i + 1},500"`)}`);
    assert.deepEqual(membersOf(choices, 'about'), ['date', 'decimal']);
  });

  const refused: readonly (readonly [title: string, text: string, expected: RegExp, options?: IntakeOptions])[] = [
    ['days of a spreadsheet', `Day,Boxes\n${lines(12, (i) => `${46_023 + i},9`)}`, /"Day" has numbers in place of dates/],
    [
      'fiscal quarters',
      `Period,Sales\n${lines(12, (i) => `FY${20 + i} Q1,9`)}`,
      /"Period" has fiscal periods in 12 cells, .*--map/,
    ],
    [
      'a row with more cells than the header',
      `Month,Sales\n${lines(12, (i) => `2024-${two(i + 1)},${i},5`)}`,
      /^Rows 2, 3, 4 and 9 more have more cells/,
    ],
    ['too few values', 'Month,Sales\n2024-01,5\n2024-02,6\n', /has 2 values; a forecast needs at least 12/],
    [
      'more days than a forecast takes',
      `Date,Sales\n${lines(20_001, (i) => `${day(i)},${i}`)}`,
      /The series has 20,001 values; a forecast takes at most 20,000\. Leave out the oldest rows/,
    ],
    ['more rows without dates than a forecast takes', `Sales\n${lines(20_001, (i) => `${i}`)}`, /The series has 20,001 values/],
    ['dates without a step', `Date,Sales\n${lines(12, (i) => `${day(i * i)},${i}`)}`, /no regular step\. Gather them into/],
    ['parts of months', 'Date,Sales\n2024-01-02,5\n2024-01-03,5', /"Date" has no complete month/, { every: 'month', sum: true }],
    ['steps of minutes', `Time,Value\n${lines(12, (i) => `2024-01-01 00:${two(i)},${i}`)}`, /nearer than an hour.*Gather them/],
    [
      'a value without a date',
      `Date,Value\n${lines(12, (i) => `${i === 4 ? '' : day(i)},${i}`)}`,
      /Column "Date" has no value in row 6\. Fill in/,
    ],
    [
      'a 25th hour of a day',
      `Date,Hour,Load\n${lines(49, (i) => `2025-10-${25 + Math.min(1, Math.floor(i / 24))},${i === 48 ? 25 : (i % 24) + 1},${i}`)}`,
      /"Date and Hour" has hours that no clock shows in row 50: "2025-10-26 25:00"\. Where clocks go back/,
    ],
    [
      'a total that is no sum',
      `Month,Value\n${lines(12, (i) => `${month(i)},${i}`)}\nTotal,5`,
      /text, not a date in row 14: "Total"/,
    ],
    ['a column that is not there', 'Month,Sold\n2024-01,5', /no column "Price"\. .* are "Month", "Sold"/, { column: 'Price' }],
    ['no numbers', 'Month,Sold\n2024-01,5', /No column has numbers .* are "Month", "Sold"/, { map: { Sold: '-' } }],
    [
      'a member that is not there',
      `Month,Value\n${lines(12, (i) => `${month(i)},${i}`)}`,
      /No column becomes "cost"; of a forecast they become date, value/,
      { map: { Value: 'cost' } },
    ],
    [
      'values beyond all bounds',
      `Month,Value\n${lines(12, (i) => `${month(i)},${i === 2 ? '1e20' : i}`)}`,
      /Column "Value" has values out of bounds in row 4: "1e20"\. A value must be a number from/,
    ],
    [
      'a setting that the mission does not take',
      `Month,Value\n${lines(12, (i) => `${month(i)},${i}`)}`,
      /The mission's horizon: must be an integer/,
      { set: { horizon: 'long' } },
    ],
  ];
  for (const [title, text, expected, options] of refused) {
    it(`refuses ${title}`, async () => assert.match(await messagesOf('forecast', text, options), expected));
  }

  it('takes what the owner says about columns, and members beside the work', async () => {
    const text = `When,A,B\n${lines(12, (i) => `${month(i)},${i},${i * 2}`)}`;
    const work = await workOf('forecast', text, {
      map: { When: 'date', b: 'value' },
      set: { horizon: 6, unit: 'boxes', seed: 7 },
    });
    assert.deepEqual(
      [work['observations'], work['horizon'], work['unit'], work['seed']],
      [counted(12, (i) => i * 2), 6, 'boxes', undefined],
    );
  });
});
