/** What the form and the result of a code mission say, in every language. */
import type { Translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Code',
  about: 'A candidate function checked against examples and held-out cases.',
  fields: {
    language: { label: 'Language', options: { python: 'Python', javascript: 'JavaScript' } },
    examples: { label: 'Examples', hint: 'JSON: a list of {"args": […], "expected": …}; write 5, not 5.0' },
    heldout: { label: 'Held-out cases', hint: 'JSON: a list of {"args": […], "expected": …}; write 5, not 5.0' },
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
    passedOf: (passed: string, all: string) => `${passed} of ${all} passed`,
    accuracy: 'Accuracy',
    image: 'Ran in image',
    verdict: 'Verdict',
    given: 'Output',
    attempts: 'Runs of candidates',
    source: 'Candidate',
    ended: 'Ended',
    time: 'Time',
    failures: (n: string) => `Failures of run ${n}`,
    candidateOf: (n: string) => `Candidate of run ${n}`,
    sources: { given: 'given', generated: 'generated' },
    ends: {
      exited: 'by itself',
      memory_limit: 'memory limit',
      killed: 'killed by itself',
      deadline: 'time limit',
      output_limit: 'output limit',
    },
    verdicts: {
      passed: 'passed',
      wrong: 'wrong value',
      raised: 'error',
      invalid: 'no JSON value',
      too_large: 'output too large',
      missing: 'no output',
    },
  },
} satisfies KindWords<'code'>;

const fr: typeof en = {
  name: 'Code',
  about: 'Une fonction candidate face à des exemples et à des cas mis de côté.',
  fields: {
    language: { label: 'Langage', options: { python: 'Python', javascript: 'JavaScript' } },
    examples: { label: 'Exemples', hint: 'JSON : une liste de {"args": […], "expected": …} ; écrire 5, et non 5.0' },
    heldout: { label: 'Cas mis de côté', hint: 'JSON : une liste de {"args": […], "expected": …} ; écrire 5, et non 5.0' },
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
    passedOf: (passed, all) => `${passed} sur ${all} réussis`,
    accuracy: 'Exactitude',
    image: "Exécuté dans l'image",
    verdict: 'Verdict',
    given: 'Sortie',
    attempts: 'Exécutions des candidats',
    source: 'Candidat',
    ended: 'Fin',
    time: 'Durée',
    failures: (n) => `Échecs de l'exécution ${n}`,
    candidateOf: (n) => `Candidat de l'exécution ${n}`,
    sources: { given: 'fourni', generated: 'généré' },
    ends: {
      exited: 'terminé',
      memory_limit: 'limite de mémoire',
      killed: 'tué par lui-même',
      deadline: 'limite de temps',
      output_limit: 'limite de sortie',
    },
    verdicts: {
      passed: 'réussi',
      wrong: 'valeur fausse',
      raised: 'erreur',
      invalid: 'pas une valeur JSON',
      too_large: 'sortie trop grande',
      missing: 'aucune sortie',
    },
  },
};

export const words: Translated<typeof en> = { en, fr };
