import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sentence_chars_max } from '../../src/kinds/research/constants.js';
import { foldPoint, isJoiner, isSpace, isWord, plainPoint } from '../../src/kinds/research/engine/characters.js';
import { sentences } from '../../src/kinds/research/engine/split.js';
import { stem } from '../../src/kinds/research/engine/stem.js';
import * as unicode from './oracles/research/sentences.js';

/** Texts with | where a sentence ends; the white space after it belongs to none. */
const golden: readonly string[] = [
  '',
  'One.| Two.| Three.',
  'Really?| Yes!| Fine.',
  'Wait... what happened?',
  'Wait...| Then it stopped.',
  'It ended…| Nobody knew.',
  'Dr. Smith met Mrs. Jones at St. Mary Hospital.| They talked.',
  'Prof. Lee et al. published it.| It was read.',
  'J. R. R. Tolkien wrote it.| C. S. Lewis read it.',
  'George W. Bush won.| He served.',
  'He lived in the U.S. for years.| Then he left.',
  'He lived in the U.S.| The end came later.',
  'He lived in the U.S. Senate district.',
  'The firm is Acme Inc.| It makes pens.',
  'The firm Acme Inc. Boston branch closed.',
  'It cost $4.50.| He paid.',
  'See version 2.0.1 for details.| Next.',
  'Write to a.b@example.com. Thanks.'.replace('. T', '.| T'),
  'Use node.js or .NET here.| Both work.',
  'See Fig. 3 and Eq. 4 for it.| Done.',
  'No. 5 is alive.| No. 6 is not.',
  'It opened on Jan. 5 and closed in Dec.| Nobody came.',
  'Meet at 5 p.m. on Monday.| Bring food.',
  'We met at 5 p.m.| The rest came later.',
  'Use tools, e.g. Hammers, i.e. Things that hit.',
  'Apples, pears, etc. are sold.| Come by.',
  'Apples, pears, etc.| We sell them.',
  '"Is it true?" she asked.| "Yes."| He nodded.',
  'He said, "It is done."| Then he left.',
  '(He left.)| She stayed.',
  'It is toxic.[j]| It burns.',
  'It is known.[12]| It is not.[3][4]| So.',
  '1. First item\n|2. Second item\n|3. Third item',
  'Items:\n|- one thing\n|- another thing\n|* last thing',
  'a) First\n|b) Second',
  'A heading\n\n|A paragraph that\ngoes on over lines.| It ends.',
  'Windows lines\r\n\r\n|are split too.',
  'これは文です。|次の文です。|「終わり？」|はい！',
  'He is in Room I. | They wait.'.replace('. | ', '.| '),
  'Vitamin C. elegans is a worm.',
  'Mr. and Mrs. T. are here.',
  'Ltd. companies exist.| They do.',
  'Привет мир.| Это тест.| конец.'.replace('.| к', '. к'),
  '¿Qué pasa?| ¡Nada!| Bien.',
  'Ph.D. students work.| So do others.',
  'यह एक वाक्य है।|यह दूसरा है।| अंत',
  'ماذا حدث؟| لا شيء.| انتهى.',
  'Im 19. Jahrhundert kam z. B. Goethe.| Er blieb.',
  'Die Hauptstr. 7, Tel. 089 12, Art.-Nr. 5 nach Abs. 2.| So.',
  'Der e. V. Köln zahlt 3 Mio. Euro.| Es kamen u. a. Müller und Dr. med. Weber.| Sie gehen.',
  "Selon l'art. 5, env. 30 av. J.-C. ou no. A12.| Fin.",
  'Am 3. Mai 1957 wurde sie eröffnet.| Alle kamen.',
  'Это было в 1918 г. Варшава росла.| Он уехал.',
  'Он родился в 1918 г.| В городе было тихо.',
  'It weighs 1 200 kg.| Workers lift it.',
  'A beam of 5 ft. wide panels.',
  'It weighs 5 kg. 300 g remain.',
  'We meet on Mon. 3 Feb. 2025 at ten.',
  'Сюда входят им. Пушкина и др. школы.| Они открыты.',
];

const split = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

const marked = (text: string): string[] => text.split('|').flatMap((part) => part.trim() || []);

describe('sentence splitter', () => {
  for (const text of golden) {
    it(JSON.stringify(text).slice(0, 70), () => {
      assert.deepEqual(split(text.replaceAll('|', '')), marked(text));
    });
  }

  it('cuts long sentences at white space and never inside a surrogate pair', () => {
    const long = `${'word '.repeat(400)}end.`;
    for (const part of split(long))
      assert.ok(part.length <= sentence_chars_max && part.startsWith('word') !== part.startsWith('end'));
    for (const part of split(`x${'\u{1f600}'.repeat(1000)}`)) assert.ok(part.isWellFormed() && part.length <= sentence_chars_max);
  });

  const pieces =
    '. ~.~? ~! ~… ~\n~\n\n~\r\n~ ~\u00a0~"~(~)~[1]~[j]~[abcde]~[~]~”~“~。~！~- ~* ~1. ~2) ~a. ~I. ~iv. ~Dr. ~e.g. ~U.S. ~Inc. ~The ~the ~x~Ä~ß~漢字~カ~' +
    "\u{1f600}~\u{10400}~3.5~1,000~don't~Levi's~p.m. ~No. ~5~É~ends~running ~,~:~\u0301~।~؟~ดี ~กา้~ค ~3. ~Mai~г. ~В ~z.B. ~\u00ad~\u200d~٣~\u{20000}~Σ~ς~" +
    'x'.repeat(90);
  const nasty = fc.array(fc.constantFrom(...pieces.split('~')), { maxLength: 40 }).map((parts) => parts.join(''));

  it('covers the text with ordered, trimmed sentences', () => {
    fc.assert(
      fc.property(
        fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 80 })),
        fc.integer({ min: 1, max: 30 }),
        (text, times) => {
          const whole = text.repeat(times).slice(0, 3000).toWellFormed();
          let last = 0;
          for (const { start, end } of sentences(whole)) {
            const between = Array.from(whole.slice(last, start), (c) => c.codePointAt(0) ?? 0);
            assert.ok(between.every((point) => isSpace(point) || isJoiner(point)));
            assert.ok(start < end && end - start <= sentence_chars_max);
            assert.ok(!isSpace(whole.charCodeAt(start)) && !isSpace(whole.charCodeAt(end - 1)));
            last = end;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('frozen character tables', () => {
  it('are those of the characters that this Node knows', () => {
    const { lettered, spaced, lowered, plain } = unicode;
    for (let point = 0; point < 0x110000; point += point < 0x20000 ? 1 : 37) {
      if (!/\p{Assigned}/u.test(String.fromCodePoint(point))) continue;
      const mine = [isWord, isSpace, foldPoint, plainPoint].map((read) => read(point));
      const known = [lettered, spaced, lowered, plain].map((read) => read(point));
      assert.deepEqual(mine, known, point.toString(16));
    }
  });
});

describe('stemming', () => {
  const forms =
    'cats cat, ponies poni, classes class, bus bus, running run, stopped stop, hoped hop, used used, won win, written writ, ' +
    'played plai, play plai, quickly quick, 2015 2015, eight 8, été été';
  for (const pair of forms.split(', ')) {
    const [form = '', root = ''] = pair.split(' ');
    it(`reduces ${form} to ${root}`, () => assert.equal(stem(form), root));
  }
});
