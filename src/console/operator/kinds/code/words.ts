/** What the form and the result of a code mission say, in every language. */
import { type Phrase, same, type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

const casesHint: Phrase = [
  'JSON: a list of {"args": […], "expected": …}; write 5, not 5.0',
  'JSON : une liste de {"args": […], "expected": …} ; écrire 5, et non 5.0',
];

export const words = translated({
  name: same('Code'),
  about: [
    'A candidate function checked against examples and held-out cases.',
    'Une fonction candidate face à des exemples et à des cas mis de côté.',
  ],
  fields: {
    language: { label: ['Language', 'Langage'], options: { python: same('Python'), javascript: same('JavaScript') } },
    examples: {
      label: ['Examples', 'Exemples'],
      hint: casesHint,
    },
    heldout: {
      label: ['Held-out cases', 'Cas mis de côté'],
      hint: casesHint,
    },
    candidate: {
      label: ['Candidate', 'Candidat'],
      hint: ['Source code that defines solve(…)', 'Code source qui définit solve(…)'],
    },
  },
  result: {
    candidate: ['Candidate', 'Candidat'],
    none: ['No candidate given.', 'Aucun candidat donné.'],
    examples: ['Examples', 'Exemples'],
    heldout: ['Held-out cases', 'Cas mis de côté'],
    arguments: same('Arguments'),
    expected: ['Expected', 'Attendu'],
    lines: (n: string) => [`${n} lines`, `${n} lignes`],
    passedOf: (passed: string, all: string) => [`${passed} of ${all} passed`, `${passed} sur ${all} réussis`],
    accuracy: ['Accuracy', 'Exactitude'],
    image: ['Ran in image', 'Exécuté dans l’image'],
    verdict: same('Verdict'),
    given: ['Output', 'Sortie'],
    attempts: ['Runs of candidates', 'Exécutions des candidats'],
    ended: ['Ended', 'Fin'],
    time: ['Time', 'Durée'],
    failures: (n: string) => [`Failures of run ${n}`, `Échecs de l’exécution ${n}`],
    candidateOf: (n: string) => [`Candidate of run ${n}`, `Candidat de l’exécution ${n}`],
    sources: { given: ['given', 'fourni'], generated: ['generated', 'généré'] },
    ends: {
      exited: ['by itself', 'terminé'],
      memory_limit: ['memory limit', 'limite de mémoire'],
      killed: ['killed by itself', 'tué par lui-même'],
      deadline: ['time limit', 'limite de temps'],
      output_limit: ['output limit', 'limite de sortie'],
    },
    verdicts: {
      passed: ['passed', 'réussi'],
      wrong: ['wrong value', 'valeur fausse'],
      raised: ['error', 'erreur'],
      invalid: ['invalid value', 'valeur non valide'],
      too_large: ['output too large', 'sortie trop grande'],
      missing: ['no output', 'aucune sortie'],
    },
  },
} satisfies TextsOf<KindWords<'code'>>);
