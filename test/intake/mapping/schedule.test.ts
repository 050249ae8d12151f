import assert from 'node:assert/strict';
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { missionRequest } from '../../../src/kinds/request.js';
import { choicesOf, messagesOf, notesOf, workOf } from './paste.js';
import { membersOf } from '../../support/lists.js';

const erp = `Auftrag;Pos;Arbeitsplatz;Bezeichnung;Bearbeitungszeit (min);Liefertermin;Prio
4711;20;Fräse;Fräsen;45;15.12.2026;hoch
4711;10;Säge;Zuschnitt;30;15.12.2026;hoch
4712;10;Säge;Zuschnitt;12;16.12.2026;niedrig`;

describe('jobs of people', () => {
  it('reads the export of an ERP program in German', async () => {
    const [priority] = await choicesOf('schedule', erp);
    assert.deepEqual(
      [priority?.about, priority?.readings],
      ['risk', [{ label: 'niedrig=1, hoch=2', option: { scale: { niedrig: 1, hoch: 2 } } }]],
    );
    assert.deepEqual(await workOf('schedule', erp, { scale: { niedrig: 1, hoch: 3 } }), {
      kind: 'schedule',
      unit: 'minutes',
      jobs: [
        {
          id: 'job-1',
          title: '4711',
          due: '2026-12-15',
          weight: 3,
          operations: [
            { machine: 'machine-1', duration: 30 },
            { machine: 'machine-2', duration: 45 },
          ],
        },
        { id: 'job-2', title: '4712', due: '2026-12-16', weight: 1, operations: [{ machine: 'machine-1', duration: 12 }] },
      ],
      machines: [
        { id: 'machine-1', title: 'Säge' },
        { id: 'machine-2', title: 'Fräse' },
      ],
    });
    const notes = await notesOf('schedule', erp, { scale: { niedrig: 1, hoch: 3 } });
    assert.match(notes, /Column "Bezeichnung" was left out/);
    assert.match(notes, /Column "Prio" is taken as the weight: a higher number is more important/);
    assert.match(notes, /they need the start of the schedule/);
  });

  it('says what it does not heed of a plan', async () => {
    const notes = await notesOf('schedule', 'Task,Machine,Hours,Predecessors,Setup (min),Menge\nA,Saw,2,,10,5\nB,Saw,1,A,,\n');
    assert.match(notes, /Column "Predecessors" is not heeded: a job [^]*"Setup \(min\)" is not [^]*"Menge" is not heeded/);
  });

  it('reads hours of a French table, and the unit that is asked for, also of two columns of one name', async () => {
    const text = 'OF;Poste de charge;Temps (h)\nOF-1;Scie;1,5\nOF-1;Four;2\n';
    const work = await workOf('schedule', text);
    assert.match(JSON.stringify(work['jobs']), /"duration":90.*"duration":120/);
    assert.match(
      await messagesOf('schedule', text, { unit: 'hour' }),
      /Column "Temps \(h\)" has times that are not whole hours in row 2: "1,5"\. Plan in minutes/,
    );
    const twice = 'Job,Machine,Note,Duration,Duration\nA,Saw,,2,2\n';
    assert.match(JSON.stringify(await workOf('schedule', twice, { unit: 'hour' })), /"duration":2}/);
  });

  it('reads numbered machines and durations in any of their names', async () => {
    for (const header of [
      'Order\tMachine 1\tTime 1 (h)\tMachine 2\tTime 2 (h)',
      'Auftrag\tStep 1 Maschine\tStep 1 Zeit (h)\tStep 2 Maschine\tStep 2 Zeit (h)',
      'Task Name\tOp 10 WC\tOp 10 hrs\tOp 20 WC\tOp 20 hrs',
    ]) {
      const { jobs } = await workOf('schedule', `${header}\nA\tSaw\t1.5\tDrill\t0.5\nB\tDrill\t1\t\t`);
      assert.match(
        JSON.stringify(jobs),
        /"machine-1","duration":90},{"machine":"machine-2","duration":30}.*"machine-2","duration":60}]/,
      );
    }
    assert.match(
      await messagesOf('schedule', 'Job,machine1,time1\nA,Saw,\nB,,5'),
      /Column "machine1" has no value beside column "time1" in row 3\. Fill in both/,
    );
  });

  it('reads operations of no time', async () => {
    const { jobs } = await workOf('schedule', 'Job,Machine,Minutes\nA,Saw,0\nA,Press,3\n');
    const [job] = jobs as readonly { readonly operations: readonly { readonly duration: number }[] }[];
    assert.deepEqual(membersOf(job?.operations ?? [], 'duration'), [0, 3]);
  });

  it('says what a start is, in words', async () => {
    const text = 'Job,Machine,Minutes,Due\nA,Saw,4,2026-12-01T16:00+01:00\n';
    assert.match(await notesOf('schedule', text), /times of column "Due" are taken as .*, without their zone: \+01:00\./);
    await assert.rejects(async () => {
      unwrap(decode(missionRequest, { goal: 'Plan', work: await workOf('schedule', text, { set: { start: 'tomorrow' } }) }));
    }, /work\.start: must be a date and time such as 2026-12-07 08:00/);
  });

  it('leaves a total out, and blank rows', async () => {
    const text = 'Job,Machine,Minutes\nA,Saw,0:30\n,,\nB,Saw,10\nTotal,,0:40\n\nPrinted on Monday\n';
    assert.match(JSON.stringify(await workOf('schedule', text)), /"title":"A".*"title":"B"/);
    const notes = await notesOf('schedule', text);
    assert.match(notes, /Row 7 below the table was left out\.\nRow 5 is the total of column "Minutes"/);
  });

  it('keeps the order of the rows where the steps are names', async () => {
    const notes = await notesOf('schedule', 'Job,Operation,Machine,Min\nA,cut,Saw,5\nA,bore,Drill,5');
    assert.match(
      notes,
      /Column "Operation" was left out\.\nThe operations are in the order of the rows, because column "Operation" has no numbers/,
    );
  });

  it('says which machines are written in two ways, or may be several', async () => {
    const notes = await notesOf('schedule', 'Job,Machine,Min\nA,Saw 1,5\nB,SAW-1,5\nC,Saw 1 or Saw 2,4');
    assert.match(notes, /"Saw 1 or Saw 2" is taken as a machine of its own, not as a choice among machines/);
    assert.match(notes, /"Saw 1", "SAW-1" are written differently and taken as different machines/);
  });

  it('asks how long a day is where there is a calendar', async () => {
    const calendar = { weekly: { mon: ['08:00-12:00', '13:00-16:30'] } };
    const set = { calendar, start: '2026-12-07 08:00' };
    const [day] = await choicesOf('schedule', 'Job,Machine,Duration\nA,Saw,2 d', { set });
    assert.deepEqual(membersOf(day?.readings ?? [], 'label'), ['A day is 24 hours', 'A day is 7.5 hours']);
    assert.match(
      JSON.stringify(await workOf('schedule', 'Job,Machine,Duration\nA,Saw,2 d', { set, scale: { d: 7.5 } })),
      /"duration":900/,
    );
  });

  const refused: readonly (readonly [title: string, text: string, expected: RegExp])[] = [
    [
      'a table of machines',
      'Job,Saw,Drill\nA,10,20',
      /A schedule needs a column for machine and one for duration\. Found: job \("Job"\)\. The columns of the file are "Job", "Saw", "Drill"\. Say which they are; if each machine has a column .* write a row for each operation instead\./,
    ],
    ['a table without known names', 'x,y\nA,10', /No column was recognised/],
    ['weeks without a year', 'Job,Machine,Min,Due\nA,Saw,5,KW 50', /"Due" has dates that cannot be read .* each with its year/],
    ['a word among dates', 'Job,Machine,Min,Due\nA,Saw,5,2026-12-01\nB,Saw,5,soon', /has text, not a date in row 3: "soon"/],
    ['a job without an operation', 'Job,machine1,time1\nA,Saw,5\nB,,\nC,Saw,6', /rows without an operation in row 3: "B"/],
    ['a job without a name', 'Job,Machine,Min\nA,Saw,5\n,Drill,6', /Column "Job" has no value in row 3/],
    [
      'two due times of a job',
      'Job,Machine,Min,Due\nA,Saw,5,60\nA,Drill,6,70\nA,Mill,6,80',
      /Column "Due" has another due time than the first row of the same job in 2 cells, rows 3 and 4; the first is "70"/,
    ],
    [
      'a duration beyond all bounds',
      'Job,Machine,Min\nA,Saw,5\nA,Drill,500000',
      /Column "Min" has values out of bounds in row 3: "500000"\. A value must be an integer from 0 to/,
    ],
    ['a job of no time', 'Job,Machine,Min\nA,Saw,5\nB,Saw,0', /"Job" has .* in row 3: "B"\. A job must take some time/],
    ['a fraction as a weight', 'Job,Machine,Min,Weight\nA,Saw,5,1\nB,Saw,5,1.5', /"Weight" has .* in row 3: "1\.5"/],
    [
      'too many jobs',
      `Job,Machine,Min\n${Array.from({ length: 201 }, (_, i) => `J${i},Saw,5`).join('\n')}`,
      /The mission's jobs: must have 1 to 200 items, has 201/,
    ],
  ];
  for (const [title, text, expected] of refused) {
    it(`refuses ${title}`, async () => assert.match(await messagesOf('schedule', text), expected));
  }
});
