/** Spreadsheets of reports as other programs read them: numbers as numbers, dates as dates, and nothing that a spreadsheet would compute. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import readExcelFile from 'read-excel-file/node';
import { renderMission, type ReportFormat } from '../../src/app/exports/report.js';
import { csvText } from '../../src/reports/csv.js';
import { reportCsv } from '../../src/reports/files.js';
import { markdownOf } from '../../src/reports/markdown.js';
import { htmlOfDraft } from '../../src/reports/renderers.js';
import { draftOf } from '../../src/reports/report.js';
import { completed, forecast, rejectsRefusal } from '../support/app/given-home.js';
import { temporaryHome, type TemporaryHome } from '../support/app/temporary-home.js';
import { membersOf } from '../support/lists.js';
import { requirePart, foreignNode, type Part } from '../support/real.js';
import { packageRoot } from '../support/package-root.js';
import { columnLetters, xlsxBytes } from '../../src/reports/xlsx.js';

const dated = { start: '2026-01-01', step: { unit: 'month', count: 1 }, horizon: 3 };

describe('spreadsheets of a report', function () {
  let homes: TemporaryHome;
  let id: string;
  before(async () => {
    homes = temporaryHome();
    ({ id } = await completed(homes.open(), forecast('=HYPERLINK("http://x")', 24, dated)));
  });
  after(() => homes.remove());

  const file = async (format: ReportFormat, of = id): Promise<Buffer> =>
    Buffer.from((await renderMission(homes.open(), of, format)).bytes);

  it('have the forecast with its dates and intervals as CSV', async () => {
    const [head, first = '', ...more] = (await file('csv')).toString('utf8').trimEnd().split('\r\n');
    assert.equal(head, 'Step,Date,Forecast,50 % from,50 % to,80 % from,80 % to,95 % from,95 % to');
    assert.match(first, /^1,2028-01-01,-?\d+(?:\.\d+)?(?:,-?\d+(?:\.\d+)?){6}$/);
    assert.equal(more.length, 2);
    const text = (await file('md')).toString('utf8');
    assert.match(text, / for 2028-01 \([^]*Season[^\n]* (?:none|12 steps)[^]*\| 1 \| 2028-01 \|/);
  });

  it('have hours as times, and their zone in the head', async () => {
    const hours = { start: '2026-01-31T12:00:00+02:00', step: { unit: 'hour', count: 1 } };
    const { id: hourly } = await completed(homes.open(), forecast('hours', 24, hours));
    const [sheet] = await readExcelFile(await file('xlsx', hourly));
    const dates = sheet?.data.map(([, date]) => date);
    assert.deepEqual(dates, ['Date (UTC+02:00)', new Date('2026-02-01T12:00:00Z')]);
    assert.match((await file('csv', hourly)).toString('utf8'), /\r\n1,2026-02-01T12:00:00\+02:00,/);
  });

  it('are read alike by openpyxl, which takes no text for a formula', async function () {
    requirePart(this, 'python-formats');
    const path = join(homes.root, 'report.xlsx');
    writeFileSync(path, await file('xlsx'));
    const program = `import openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
row = list(book['Forecast'].iter_rows(min_row=2, max_row=2))[0]
goal = book['About']['B2']
heads = [head.alignment.horizontal for sheet in ('Forecast', 'About') for head in book[sheet][1]]
print(book.sheetnames, *[cell.data_type for cell in row], row[1].value.isoformat(), goal.data_type, goal.alignment.wrap_text)
print(*heads, book['About'].print_title_rows)`;
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-W', 'error', '-c', program, path], { encoding: 'utf8' });
    const expected = "['Forecast', 'Holdout', 'Models', 'About'] n d n n n n n n n 2028-01-01T00:00:00 s True\n";
    assert.equal(stdout, `${expected}${'right '.repeat(9)}None None $1:$1\n`, stderr);
  });

  it('are read alike by LibreOffice, whose CSV has the same cells', async function () {
    requirePart(this, 'libreoffice');
    const path = join(homes.root, 'report.xlsx');
    writeFileSync(path, await file('xlsx'));
    // UTF-8, quotation marks around texts alone, cells as they are shown, and a file for each sheet.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1';
    const profile = `-env:UserInstallation=file://${join(homes.root, 'libreoffice')}`;
    const { stderr } = spawnSync('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', homes.root, path], {
      encoding: 'utf8',
    });
    const [head, ...rows] = (await file('csv')).toString('utf8').trimEnd().split('\r\n');
    const quoted = head?.replaceAll(/[^,]+/g, '"$&"');
    const sheet = (name: string): string[] => readFileSync(join(homes.root, `report-${name}.csv`), 'utf8').split('\n');
    assert.deepEqual(sheet('Forecast'), [quoted, ...rows, ''], stderr);
    assert.equal(sheet('About')[1], '"Goal","=HYPERLINK(""http://x"")"');
  });

  it('mark texts that a spreadsheet would compute, and leave numbers', () =>
    assert.equal(
      csvText([['=1+1', '+x', '-y', '@z', -5, 'a=b', 'say "hi"', { date: '2026-12-07 08:00' }, null]]),
      `'=1+1,'+x,'-y,'@z,-5,a=b,"say ""hi""",2026-12-07 08:00,\r\n`.replace('00:,', '00,'),
    ));
});

const title = 'Catalogue für Müller; 3 000 Stück, mit einem sehr langen Titel, der gefaltet werden muss \u2713\nzweite Zeile';

/** A shop with a lunch break, a short Friday and a holiday. */
const shop = {
  goal: 'the week before the holiday, every order by its date',
  work: {
    kind: 'schedule',
    unit: 'minutes',
    start: '2026-12-07 08:00',
    calendar: {
      weekly: { mon: ['08:00-12:00', '13:00-17:00'], wed: ['08:00-12:00', '13:00-17:00'], fri: ['08:00-12:00'] },
      holidays: ['2026-12-09'],
    },
    machines: [{ id: 'press', title: 'Press, old' }],
    jobs: [
      {
        id: 'a',
        title,
        operations: [
          { machine: 'press', duration: 300 },
          { machine: 'cut', duration: 240 },
        ],
      },
      { id: 'b', operations: [{ machine: 'press', duration: 60 }], due: '2026-12-11 09:00' },
    ],
  },
};

interface ReadEvent {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly zone: boolean;
  readonly summary: string;
}

const programs = {
  icalendar: `import icalendar, json, sys
events = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read()).walk('VEVENT')
print(json.dumps([{ 'uid': str(e['UID']), 'start': e['DTSTART'].dt.isoformat(), 'end': e['DTEND'].dt.isoformat(),
  'zone': e['DTSTART'].dt.tzinfo is not None, 'summary': str(e['SUMMARY']) } for e in events]))`,
  vobject: `import vobject, json, sys
events = vobject.readOne(open(sys.argv[1], newline='', encoding='utf-8').read()).vevent_list
print(json.dumps([{ 'uid': e.uid.value, 'start': e.dtstart.value.isoformat(), 'end': e.dtend.value.isoformat(),
  'zone': e.dtstart.value.tzinfo is not None, 'summary': e.summary.value } for e in events]))`,
};

/** The programs that read a calendar: two of Python, and one of JavaScript. */
const readers: Readonly<Record<string, (path: string) => readonly ReadEvent[]>> = {
  icalendar: (path) => readByPython('icalendar', path),
  vobject: (path) => readByPython('vobject', path),
  'ical.js': (path) => {
    const events = new ICAL.Component(ICAL.parse(readFileSync(path, 'utf8')) as unknown[]).getAllSubcomponents('vevent');
    return events
      .map((event) => new ICAL.Event(event))
      .map(({ uid, startDate, endDate, summary }) => {
        const zone = startDate.zone !== ICAL.Timezone.localTimezone;
        return { uid, start: String(startDate), end: String(endDate), zone, summary };
      });
  },
};

function readByPython(name: keyof typeof programs, path: string): readonly ReadEvent[] {
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', programs[name], path], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as readonly ReadEvent[];
}

describe('the report of a program, and of a result of another program', () => {
  const mission = { mission: 'm', result_hash: 'a'.repeat(64), engine: { name: 'code', version: '1' } };
  const request = {
    goal: 'Add two numbers',
    work: { kind: 'code', language: 'python', candidate: 'x', examples: [], heldout: [{ args: [1, 2], expected: 3 }] },
  };

  it('has the program and a verdict for each case', () => {
    const result = {
      method: 'x',
      image: `sha256:${'0'.repeat(64)}`,
      code: 'def solve(a, b):\n    return a + b  # ``` <b>\n',
      case_count: 1,
      passed: 1,
      accuracy: 1,
      verdicts: { examples: ['wrong'], heldout: ['passed'] },
      limits: 'The cases are few.',
    };
    const report = draftOf({ ...mission, request, result });
    assert.ok(report !== null);
    assert.equal(reportCsv(report).split('\r\n')[1], 'held-out,1,"solve(1, 2)",3,passed');
    assert.match(htmlOfDraft(report), /<pre>def solve\(a, b\):\n {4}return a \+ b {2}# ``` &lt;b&gt;\n<\/pre>/);
    assert.match(markdownOf(report), /passes 1 held-out case\?[^]* given [^]*wrong value \|\n[^]*\n````\ndef .*\n.*\n````\n/);
  });

  it('has the words of a goal that no quote covers as they were typed', () => {
    const coverage = { terms: ['harbour', 'dredg'], uncovered: ['dredg'] };
    const result = { findings: [], sources: [{ id: 'a', title: 'A', url: '' }], coverage, limits: 'x' };
    const vague = { goal: 'What is it? https://www.a.example b@a.example', work: { kind: 'research' } };
    const bare = draftOf({ ...mission, request: vague, result: { ...result, coverage: { terms: [], uncovered: [] } } });
    assert.ok(bare !== null);
    assert.match(markdownOf(bare), /it\? https:\\\/\/www\\\.a\.example b\\@a\.example\n[^]*the goal has no word to look for/);
    const report = draftOf({
      ...mission,
      request: { goal: `1. When was the harbour dredged? ${'2.5 metres? '.repeat(9)}`, work: { kind: 'research' } },
      result,
    });
    assert.ok(report !== null);
    assert.match(markdownOf(report), /: 1\\\. When was the harbour dredged\?\n[^]*\n2\.5 metres\?[^]*not: dredged\b/);
  });

  it('has the members of a result that this program does not know', () => {
    const report = draftOf({ ...mission, request, result: { answer: 42, why: '=cmd', parts: [1, 2] } });
    assert.ok(report !== null);
    assert.equal(reportCsv(report), 'Member,Value\r\nanswer,42\r\nwhy,\'=cmd\r\nparts,"[1,2]"\r\n');
    assert.equal(draftOf({ ...mission, request: { goal: 'x', work: { kind: 'other' } }, result: {} }), null);
  });
});

describe('the calendar of a report', function () {
  let homes: TemporaryHome;
  let id: string;
  let operations: readonly Readonly<Record<'start_at' | 'end_at', string>>[];
  before(async () => {
    homes = temporaryHome();
    const record = await completed(homes.open(), shop);
    id = record.id;
    ({ operations } = record.result as { operations: typeof operations });
  });
  after(() => homes.remove());

  const calendar = async (filter = {}, format: ReportFormat = 'ics'): Promise<string> =>
    Buffer.from((await renderMission(homes.open(), id, format, filter)).bytes).toString('utf8');

  for (const [name, read] of Object.entries(readers))
    it(`is read by ${name}: an event for each operation, in local times`, async function () {
      if (name in programs) requirePart(this, 'python-formats');
      const path = join(homes.root, `${name}.ics`);
      writeFileSync(path, await calendar());
      const events = read(path);
      const iso = (at: string): string => `${at.replace(' ', 'T')}:00`;
      assert.deepEqual(
        events.map(({ start, end, zone }) => ({ start, end, zone })),
        operations.map(({ start_at, end_at }) => ({ start: iso(start_at), end: iso(end_at), zone: false })),
      );
      assert.ok(events.some(({ summary }) => summary === `${title}: Press, old`));
      const uids = ['a-1', 'a-2', 'b-1'].map((each) => `${id}-${each}@agent-cli`);
      assert.deepEqual(membersOf(events, 'uid'), uids);
    });

  it('has lines of at most 75 bytes that end as RFC 5545 says', async () => {
    const text = await calendar();
    assert.ok(text.endsWith('END:VCALENDAR\r\n') && !/[^\r]\n/.test(text));
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75 && !line.includes('\ufffd'), line);
  });

  it('is of one machine or one job, by id or title', async () => {
    const filters = [{ machine: 'press' }, { machine: 'Press, old' }, { job: 'a', machine: 'cut' }];
    const found = await Promise.all(filters.map(async (filter) => (await calendar(filter)).match(/BEGIN:VEVENT/g)?.length));
    assert.deepEqual(found, [2, 2, 1]);
    await rejectsRefusal(calendar({ machine: 'saw' }), 'not_found');
  });

  it('is beside a report with the open hours', async () =>
    assert.match(await calendar({}, 'md'), /^- Open hours: mon 08:00-12:00 13:00-17:00; wed .*; fri .*; 2026-12-09 closed$/m));
});

const root = packageRoot(import.meta.url);
const folder = join(root, 'test', 'vectors', 'rendered');
const names = ['allocation', 'forecast', 'research', 'schedule'] as const;
const golden = join(folder, 'hashes.json');

/**
 * Returns the hashes of the files that each stored export becomes, in another process. Whoever has a report checks it by making it again, so a
 * change of these bytes needs another number of the renderer once reports are out; UPDATE_GOLDEN=1 then writes the hashes anew.
 */
function hashes(node: readonly string[], env: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const [command = '', ...args] = node;
  const script = join(root, 'dist', 'test', 'support', 'reports', 'file-hashes.js');
  const files = names.map((name) => join(folder, `${name}.export.json`));
  const ran = spawnSync(command, [...args, script, ...files], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  assert.equal(ran.status, 0, ran.stderr);
  const found = ran.stdout.trimEnd().split('\n');
  return Object.fromEntries(names.map((name, i) => [name, JSON.parse(found[i] ?? '')]));
}

const expected = (): unknown => JSON.parse(readFileSync(golden, 'utf8'));
const elsewhere = { TZ: 'Asia/Kathmandu', LANG: 'fr_FR.UTF-8', LC_ALL: 'ar_EG.UTF-8' };

describe('the files of a stored export', () => {
  it('have the recorded bytes', () => {
    const found = hashes([process.execPath], { TZ: 'UTC' });
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(found, null, 2)}\n`);
    assert.deepEqual(found, expected());
  });

  it('have them in another time zone and locale', () => assert.deepEqual(hashes([process.execPath], elsewhere), expected()));

  for (const part of ['node-22', 'node-24'] satisfies readonly Part[])
    it(`have them on ${part}`, function () {
      requirePart(this, part);
      assert.deepEqual(hashes(foreignNode(part), elsewhere), expected());
    });
});

const sheets = [
  {
    name: 'A & "B"',
    rows: [
      ['Day', 'Count', 'Note'],
      [{ date: '2026-01-31' }, 0.1 + 0.2, ' =1+1 <é> '],
      [{ date: '1900-03-01' }, -1e21, null],
      [{ date: '1900-02-28 08:00' }, 0, 'half \ud800 and \u0001'],
      ['é'.repeat(40_000), null, 'a_x0041_'],
    ],
  },
  { name: 'empty', rows: [] },
] as const;

describe('a workbook that is written', () => {
  it('is read by other programs: numbers as numbers, dates as dates, texts as texts', async () => {
    const [first, second] = await readExcelFile(Buffer.from(xlsxBytes(sheets)), { trim: false });
    assert.deepEqual(first, {
      sheet: 'A & "B"',
      data: [
        ['Day', 'Count', 'Note'],
        [new Date('2026-01-31'), 0.1 + 0.2, ' =1+1 <é> '],
        [new Date('1900-03-01'), -1e21, null],
        ['1900-02-28 08:00', 0, 'half \ufffd and \ufffd'],
        [`${'é'.repeat(32_766)}…`, null, 'a_x0041_'],
      ],
    });
    assert.deepEqual(second, { sheet: 'empty', data: [] });
    const eight = xlsxBytes([{ name: 'A', rows: [[], [{ date: '2026-12-07 08:00' }], ['a '.repeat(50)]] }]);
    assert.match(Buffer.from(eight).toString('latin1'), /<v>46363\.333333333336<.*<row r="3" ht="30"/, 'LibreOffice shows 07:59');
  });

  it('holds every year of every sector of the largest run', () => {
    const rows = Array.from({ length: 200_001 }, () => [1]);
    assert.ok(Buffer.from(xlsxBytes([{ name: 'A', rows }])).includes('r="A200001"'));
  });
  it('names its columns as spreadsheets do', () =>
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(columnLetters), ['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']));
});
