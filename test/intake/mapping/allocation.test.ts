import assert from 'node:assert/strict';
import { choicesOf, messagesOf, notesOf, workOf } from './paste.js';

const grants = `Application #,Organization,Project Title,Amount Requested,Average Score
2024-001,Food Bank,"Mobile pantry, phase 2","$45,000.00",87.5
2024-002,YMCA,Pool,"$120,000.00",91
,,,"$165,000.00",`;

describe('proposals of people', () => {
  it('reads the list of a grants officer, without its total', async () => {
    assert.deepEqual(await workOf('allocation', grants, { set: { budget: 150000 } }), {
      kind: 'allocation',
      unit: 'USD',
      budget: 150000,
      items: [
        { id: '2024-001', title: 'Mobile pantry, phase 2', cost: 45000, value: 87.5 },
        { id: '2024-002', title: 'Pool', cost: 120000, value: 91 },
      ],
    });
    assert.match(
      await notesOf('allocation', grants),
      /Row 4 is the total of column "Amount Requested" and was left out\.\nThe budget is not in the file\./,
    );
  });

  it('reads which items must be chosen', async () => {
    const text = 'Projet;Coût;Note;Obligatoire\nToit;120;8;oui\nPorte;30;2;non\nPont;80;5;\nQuai;20;4;x\n';
    const { items } = await workOf('allocation', text, { set: { budget: 200 } });
    assert.deepEqual(
      (items as readonly { readonly required?: boolean }[]).map(({ required }) => required),
      [true, undefined, undefined, true],
    );
    assert.match(
      await messagesOf('allocation', text.replace('non', 'perhaps')),
      /Column "Obligatoire" has marks that are neither yes nor no in row 3: "perhaps"/,
    );
  });

  it('finds what is required and excluded by reference and by title', async () => {
    const text = `Project;Cost;Score;Depends on;Nicht mit
CRM;120;8;;
"ERP, phase 1";300;9;CRM;BI
BI;80;5;"CRM; ERP, phase 1";
Portal;50;4;CRM and BI;"ERP, phase 1"`;
    const { items } = await workOf('allocation', text);
    assert.deepEqual(Array.isArray(items) ? items.map(({ requires, excludes }) => [requires, excludes]) : [], [
      [undefined, undefined],
      [['item-1'], ['item-3']],
      [['item-1', 'item-2'], undefined],
      [['item-1', 'item-3'], ['item-2']],
    ]);
  });

  it('makes neutral ids beside references that are none, and keeps those that are', async () => {
    const { items } = await workOf(
      'allocation',
      'Ref,Name,Cost,Value,Group\nitem-1,A,5,1,north\nB 2,B,5,1,the south\n,C,5,1,the south',
    );
    assert.deepEqual(Array.isArray(items) ? items.map(({ id, title, group }) => [id, title, group]) : [], [
      ['item-1', 'A', 'north'],
      ['item-2', 'B', 'group-1'],
      ['item-3', 'C', 'group-1'],
    ]);
  });

  it('asks what words count, in their order where it is known', async () => {
    const risk = async (...words: string[]): Promise<string | undefined> => {
      const rows = words.map((word, i) => `P${i},5,1,${word}`).join('\n');
      return (await choicesOf('allocation', `Project,Cost,Value,Risk\n${rows}`))[0]?.readings[0]?.label;
    };
    assert.equal(await risk('High', 'Low', 'Medium', 'low'), 'Low=1, low=2, Medium=3, High=4');
    assert.equal(await risk('hoch', 'gering'), 'gering=1, hoch=2');
    assert.equal(await risk('amber', 'green'), 'amber=1, green=2');
    assert.match(
      await messagesOf('allocation', 'Project,Cost,Value,Risk\nA,5,1,low\nB,5,1,awful', { scale: { Low: 1 } }),
      /Column "Risk" has words that the scale does not have in row 3: "awful"/,
    );
  });

  it('reads scores out of a number, and the scale in a header', async () => {
    const { items } = await workOf(
      'allocation',
      'N° dossier;Montant demandé;Note /20\n1;12 500,00 €;15,5/20\n2;8 000,00 €;12/20',
    );
    assert.deepEqual(items, [
      { id: '1', cost: 12500, value: 15.5 },
      { id: '2', cost: 8000, value: 12 },
    ]);
  });

  it('leaves a column out that the owner does not want', async () => {
    const { items } = await workOf('allocation', 'Project,Cost,Value,Risk\nA,5,1,unclear', { map: { Risk: '-' } });
    assert.deepEqual(items, [{ id: 'item-1', title: 'A', cost: 5, value: 1 }]);
  });

  it('cuts titles to their length', async () => {
    const text = `Project,Cost,Value\n${'x'.repeat(250)},5,1`;
    assert.match(JSON.stringify(await workOf('allocation', text)), /"x{199}…"/);
    assert.match(await notesOf('allocation', text), /A title was cut to 200 characters/);
  });

  const refused: readonly (readonly [title: string, text: string, expected: RegExp])[] = [
    [
      'two columns of scores',
      'Project,Cost,Score A,Score B\nX,100,5,6',
      /An allocation needs a column for value\. Found: title \("Project"\), cost \("Cost"\)\./,
    ],
    [
      'totals among the items',
      'Projekt;Kosten in €;Punkte\nZwischensumme Bau;5,5;6\nX;5,5;6\nSumme;11,5;12',
      /"Projekt" has totals among the items in 2 cells, rows 2 and 4; the first is "Zwischensumme Bau"/,
    ],
    ['a missing cost', 'Project,Cost,Value\nX,,6\nY,5,6\nZ,-,6', /Column "Cost" has no value in 2 cells, rows 2 and 4\. Fill in/],
    [
      'a negative cost',
      'Project,Cost,Value\nX,-5,6',
      /Column "Cost" has values out of bounds in row 2: "-5"\. A value must be a number from 0/,
    ],
    [
      'a reference to itself',
      'Ref,Cost,Value,Requires\nX,5,6,X',
      /Column "Requires" has references to its own row in row 2: "X"/,
    ],
    ['a title of two rows', 'Project,Cost,Value,Requires\nX,5,6,\nX,6,7,\nY,5,6,X', /titles of several rows in row 4: "X"/],
    [
      'references that are used twice',
      'Ref,Cost,Value\nX,5,6\nX,5,6\nX,7,6',
      /Column "Ref" has references that are used twice in 2 cells, rows 3 and 4; the first is "X"/,
    ],
    [
      'mixed currencies',
      'Project,Cost,Value\nX,€5.50,6\nY,$5.50,6',
      /Column "Cost" has another unit or currency than EUR in row 3: "\$5\.50"\. Convert them/,
    ],
  ];
  for (const [title, text, expected] of refused) {
    it(`refuses ${title}`, async () => assert.match(await messagesOf('allocation', text), expected));
  }
});
