/** A long report as a PDF: a chapter on each page, with paragraphs that differ from page to page. */
import { prng } from '../../../src/base/prng.js';
import { linesFrom, pdfOf } from './pdf.js';

const subjects = ['mill', 'chapel', 'orchard', 'quarry', 'school', 'harbour', 'farm', 'meadow'];

/** @param changed the page on which a letter is another one */
export function reportOf(pages: number, changed = 0): Buffer {
  const random = prng(36);
  return pdfOf(
    Array.from({ length: pages }, (_, i) => {
      const number = i + 1;
      const well = `${subjects[random.below(subjects.length)]} well`;
      const amount = 10 + random.below(60);
      const unit = number === changed ? 'milligrums' : 'milligrams';
      return {
        lines: [
          { text: 'Wells of the Brenn valley', y: 40, size: 8 },
          { text: `Sample ${number}: the ${well}`, y: 80, size: 16 },
          ...linesFrom(110, [
            `The ${well} was sampled for the ${number}th time on a day without rain, and the water was cooled`,
            `to four degrees. It held ${amount} ${unit} of nitrate per litre, ${amount > 45 ? 'above' : 'below'} the limit of 45.`,
          ]),
          ...linesFrom(152, [
            `Its pump number ${random.below(9_000)} was repaired ${random.below(9)} times. The owner asked for a filter, which costs`,
            `${1_000 + random.below(20_000)} crowns, and was told that the council decides on it in the autumn.`,
          ]),
          { text: `Page ${number} of ${pages}`, x: 277, y: 810, size: 8 },
        ],
      };
    }),
  );
}
