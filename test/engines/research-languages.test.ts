/** Research in languages other than English: stems, the choice of languages, scripts without spaces, and normal forms. */
import assert from 'node:assert/strict';
import { languages } from '../../src/engines/text/languages.js';
import { readMission } from '../../src/kinds/research/engine/read.js';
import { stemmerOf } from '../../src/kinds/research/engine/stem.js';
import type { ResearchResult } from '../../src/kinds/research/result.js';
import { researched, researchInput } from './inputs.js';
import { membersOf } from '../support/lists.js';

const answer = (goal: string, ...texts: readonly string[]): ResearchResult => researched(researchInput(goal, ...texts));

const stems: Readonly<Record<string, string>> = {
  de: 'lehrerinnen lehr, lehrer lehr, hausern haus, bezirken bezirk, zeitungen zeit, landlich land',
  fr: 'chevaux cheval, nationales national, eleves elev, maisons maison',
  es: 'ciudades ciudad, canciones cancion, libros libr',
  it: 'citta citt, libri libr, ragazze ragazz',
  pt: 'cancoes canca, cancao canca, livros livr, cidades cidad',
  nl: 'boeken boek, huizen huiz, vrijheden vrij',
  ru: 'учителями учител, школах школ, красивого красив, построенный построен, дома дом',
  ar: 'المدارس مدارس, والكتاب كتاب, معلمون معلم, مدرسه مدرس',
  ko: '학교에서는 학교, 시작합니다 시작, 회의는 회의, 회의 회의, 나무가 나무',
  hi: 'लड़कियों लड़क, किताबें किताब, शिक्षकों शिक्षक',
};

describe('stems of languages other than English', () => {
  for (const language of languages.filter(({ id }) => id !== 'en')) {
    const stem = stemmerOf(language);
    for (const pair of (stems[language.id] ?? '').normalize('NFC').split(', ')) {
      const [form = '', root = ''] = pair.replaceAll('़', '').split(' ');
      it(`reduce ${form} to ${root}, ${language.id}`, () => {
        assert.equal(stem(form), root);
      });
    }
  }
});

describe('the language of a mission', () => {
  const chosen = (goal: string, ...texts: readonly string[]): string[] => {
    const { readers } = readMission(
      goal,
      texts.map((text) => ({ text })),
      () => undefined,
    );
    return [readers.latin, ...readers.others.values()].map(({ language }) => language?.id ?? 'en');
  };
  const cases: readonly (readonly [string, string, string])[] = [
    ['Who was in Die Hard?', 'It was a film about a man in a tower, and he is not the only one.', 'en'],
    ['Wer baute die Brücke?', 'Die Brücke wurde von einem Ingenieur in der Stadt gebaut.', 'de'],
    ['Qui a construit le pont ?', 'Le pont a été construit par un ingénieur de la ville.', 'fr'],
    ['¿Quién construyó el puente?', 'El puente fue construido por un ingeniero de la ciudad.', 'es'],
    ['Chi ha costruito il ponte?', 'Il ponte è stato costruito da un ingegnere della città.', 'it'],
    ['Quem construiu a ponte?', 'A ponte foi construída por um engenheiro da cidade e não por uma empresa.', 'pt'],
    ['Wie bouwde de brug?', 'De brug werd door een ingenieur uit de stad gebouwd.', 'nl'],
    ['Кто построил мост?', 'Мост построил инженер.', 'en ru'],
    ['Köprüyü kim yaptı?', 'Köprü bir mühendis tarafından yapıldı ve çok uzun.', 'tr'],
    ['Ai xây cầu?', 'Cầu được xây dựng bởi một kỹ sư của thành phố.', 'vi'],
    ['Ποιος έχτισε τη γέφυρα;', 'Η γέφυρα χτίστηκε από τον μηχανικό.', 'en el'],
    ['다리는 누가 지었나요?', '다리는 기술자가 지었다.', 'en ko'],
    ['quark', '', 'en'],
  ];
  for (const [goal, text, expected] of cases) {
    it(`is found from goal and text: ${goal} ${expected}`, () => assert.deepEqual(chosen(goal, text), expected.split(' ')));
  }
});

describe('research in other languages', () => {
  it('finds inflected forms', () => {
    assert.equal(
      answer(
        'Кто руководил строительством моста?',
        'Погода была хорошей. Строительство мостов вёл инженер Петров. Река была широкой.',
      ).findings[0]?.quote,
      'Строительство мостов вёл инженер Петров.',
    );
    assert.equal(
      answer('متى افتتحت المدرسة؟', 'كان الطقس جيدا. افتُتحت المدارس الجديدة سنة 1957. كان النهر عريضا.').findings[0]?.quote,
      'افتُتحت المدارس الجديدة سنة 1957.',
    );
    assert.equal(
      answer('शिक्षक कहाँ रहते थे?', 'मौसम अच्छा था। शिक्षकों का घर नदी के पास था। नदी चौड़ी थी।').findings[0]?.quote,
      'शिक्षकों का घर नदी के पास था।',
    );
  });

  it('finds other forms of words whose language has no stems', () => {
    for (const [goal, right, wrong] of [
      ['Πότε έκλεισε η ΓΕΦΥΡΑ;', 'Οι γέφυρες έκλεισαν το 1957.', 'Ο καιρός ήταν καλός.'],
      ['Πού είναι ο ουρανοσ;', 'Ο ουρανός είναι πάνω.', 'Η θάλασσα δεν φαίνεται.'],
      ['köprünün uzunluğu', 'Köprüler 300 metre uzundur.', 'Hava güzeldi.'],
      ['ISTANBUL nerede', "İstanbul'da hava güzeldi.", 'Kış geldi.'],
      ['회의 시간', '회의에서는 말이 없다.', '날씨가 좋다.'],
      ['ირაკლის ხიდი', 'ხიდები მაღალია.', 'ამინდი კარგია.'],
    ] as const)
      assert.deepEqual(membersOf(answer(goal, `${wrong} ${right}`).findings, 'quote'), [right]);
  });

  it('compares words as they are meant: wide, joined, divided at the end of a line, or with invisible characters', () => {
    for (const [goal, right] of [
      ['efficient filter', 'An eﬃcient ﬁlter.'],
      ['price of 3.14', 'Ｐｒｉｃｅ：３．１４'],
      ['カメラ', 'ｶﾒﾗです。'],
      ['remarkable', 'A re-\r\n  markable story.'],
      ['well-known author', 'A well-\nknown author.'],
      ['coefficient', 'The co\u00ad\nef\u00adficient.'],
      ['pumping', 'The pump\u200bing ends.'],
      ['pumping', '\ufeffpumping\ufeff ends.'],
      ['ភាសាខ្មែរ', 'គេនិយាយភាសា\u200bខ្មែរនៅទីនេះ'],
      ['C++', 'Use C++11, or C++.'],
      ['C#', '(C#)'],
    ] as const) {
      const { findings, coverage } = answer(goal, `${right}\n\nNothing else is here.`);
      assert.deepEqual([findings.map(({ quote }) => quote), coverage.uncovered], [[right.replace(/^\ufeff/, '')], []], goal);
    }
    assert.deepEqual(answer('C++', 'Use C. Or C#. See vitamin-C#4.').findings, []);
  });

  it('finds neither the question itself, nor what only surrounds the words of the goal, nor a bare heading', () => {
    const text =
      'Price of the pump\n\nWhat is the price of the pump? It runs at night. Why the pump?\n\n# The pump\n\nThe pump is blue.\n\nPump 40 crowns\n\nEnd.';
    assert.deepEqual(
      answer('What is the price of the pump?', text)
        .findings.map(({ quote }) => quote)
        .sort(),
      ['Pump 40 crowns', 'The pump is blue.'],
    );
  });

  it('cuts a long table at its rows, whose words are those of its header too', () => {
    const rows = Array.from({ length: 80 }, (_, i) => `| K-${i} | Vendor ${i % 7} | ${i * 3 + 1000} |`);
    const header = '| Part | Supplier | Net price |';
    const text = ['Prices.', header, '|---|:-:|--:|', ...rows, 'The end.'].join('\n');
    const [first, ...others] = answer('net price of K-57', text).findings;
    assert.deepEqual(
      [first?.quote, first?.header, first?.terms],
      ['| K-57 | Vendor 1 | 1171 |', header, ['net', 'pric', 'k', '57']],
    );
    for (const { quote } of others) assert.match(quote, /^\|.*\|$/);
    const short = text.split('\n').slice(0, 6).join('\n');
    assert.deepEqual(answer('net price of K-2', short).findings[0]?.quote, short.slice('Prices.\n'.length));
  });

  it('finds words in scripts without spaces, with and without tone marks', () => {
    const { findings } = answer('แซกซอนการ์เดนอยู่ที่ใด', 'อากาศดีมากในวันนี้\n\nแซ็กซอนการ์เดนอยู่ใจกลางเมือง\n\nแม่น้ำกว้าง');
    assert.equal(findings[0]?.quote, 'แซ็กซอนการ์เดนอยู่ใจกลางเมือง');
    for (const [goal, right, wrong] of [
      ['ພາສາລາວ', 'ຄົນເວົ້າພາສາລາວຢູ່ນີ້', 'ອາກາດດີຫຼາຍ'],
      ['ភាសាខ្មែរ', 'គេនិយាយភាសាខ្មែរនៅទីនេះ', 'អាកាសធាតុល្អ'],
      ['မြန်မာဘာသာ', 'ဤနေရာတွင်မြန်မာဘာသာပြောသည်။', 'ရာသီဥတုကောင်း'],
      ['博物馆', '博物馆在市中心。', '今天天气很好。'],
    ] as const)
      assert.deepEqual(membersOf(answer(goal, `${wrong}\n\n${right}`).findings, 'quote'), [right]);
  });

  it('gives the same for NFD sources and goals as for NFC ones, with exact quotes', () => {
    const goal = 'Wer führte die Prüfung über Brücken in Ürümqi?';
    const text =
      'Die Prüfung der Brücken führte Frau Šašková. Über Öl spricht niemand. Tiếng Việt và 한국어도 있다. Ça suffit, déjà.';
    const forms = [text, text.normalize('NFD')] as const;
    const results = forms.flatMap((form) => [answer(goal, form), answer(goal.normalize('NFD'), form)]);
    const [first] = results;
    assert.ok(first !== undefined && first.findings.length > 0);
    for (const [i, { findings, coverage }] of results.entries()) {
      assert.deepEqual(coverage, first.coverage);
      assert.deepEqual(
        findings.map(({ quote, score, terms }) => [quote.normalize('NFC'), score, terms]),
        first.findings.map(({ quote, score, terms }) => [quote, score, terms]),
      );
      for (const { quote, start, end } of findings) assert.equal(forms[i < 2 ? 0 : 1].slice(start, end), quote);
    }
  });
});
