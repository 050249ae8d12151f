/** What the form and the result of a code mission say, in every language. */
import type { Translated } from '../../../kit/text/language.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Code',
  about: 'A candidate function checked against examples and held-out cases.',
  fields: {
    language: { label: 'Language', options: { python: 'Python', javascript: 'JavaScript' } },
    examples: { label: 'Examples', hint: 'JSON: a list of {"args": […], "expected": …}' },
    heldout: { label: 'Held-out cases', hint: 'JSON: a list of {"args": […], "expected": …}' },
    candidate: { label: 'Candidate', hint: 'Source code that defines solve(…)' },
  },

  result: {
    candidate: 'Candidate',
    none: 'No candidate given.',
    language: 'Language',
    examples: 'Examples',
    heldout: 'Held-out cases',
    arguments: 'Arguments',
    expected: 'Expected',
    lines: (n: string) => `${n} lines`,
  },
} satisfies KindWords<'code'>;

const fr: typeof en = {
  name: 'Code',
  about: 'Une fonction candidate face à des exemples et à des cas mis de côté.',
  fields: {
    language: { label: 'Langage', options: { python: 'Python', javascript: 'JavaScript' } },
    examples: { label: 'Exemples', hint: 'JSON : une liste de {"args": […], "expected": …}' },
    heldout: { label: 'Cas mis de côté', hint: 'JSON : une liste de {"args": […], "expected": …}' },
    candidate: { label: 'Candidat', hint: 'Code source qui définit solve(…)' },
  },

  result: {
    candidate: 'Candidat',
    none: 'Aucun candidat donné.',
    language: 'Langage',
    examples: 'Exemples',
    heldout: 'Cas mis de côté',
    arguments: 'Arguments',
    expected: 'Attendu',
    lines: (n) => `${n} lignes`,
  },
};

export const words: Translated<typeof en> = { en, fr };
