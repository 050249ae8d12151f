/** What the form and the result of a research mission say, in every language. */
import type { Translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Research',
  about: 'Exact passages from your sources that answer a question.',
  fields: {
    sources: {
      label: 'Sources',
      one: 'source',
      members: {
        id: { label: 'Id' },
        title: { label: 'Title' },
        text: { label: 'Text' },
        url: { label: 'Address', hint: 'never fetched' },
      },
    },
  },

  result: {
    findings: 'Findings',
    order: 'Order of the findings',
    byRank: 'By rank',
    bySource: 'By source',
    none: 'No relevant passage found.',
    from: (quotes: string, cited: string, sources: string) => `${quotes} quotes from ${cited} of ${sources} sources`,
    exact: 'Every quote matches its source word for word.',
    inexact: (n: number) => (n === 1 ? 'One quote does not match its source.' : `${n} quotes do not match their sources.`),
    noSources: 'The sources were erased, so the quotes cannot be checked against them.',
    covered: (part: string, whole: string) => `${part} of ${whole} words of the goal covered`,
    coverage: 'Goal coverage',
    uncovered: 'Not covered',
    score: 'Score',
    model: (name: string) => `The model ${name} chose these findings and wrote the claims. Only the quotes are checked.`,
    asked: 'Model in the configuration',
    reported: 'Model in the response',
    unnamed: 'not named',
    mode: 'Response format',
    tokens: 'Tokens',
    tokensUsed: (prompt: string, completion: string) => `${prompt} sent, ${completion} received`,
    uncounted: 'not counted',
    requestHash: 'Request (SHA-256)',
    responseHash: 'Response (SHA-256)',
    evidence: 'Record of the call',
    copies: (n: string, ids: string) =>
      `${n === '1' ? 'repeated once' : `repeated ${n} times`}${ids === '' ? ' in this source' : `, also in ${ids}`}`,
    place: (from: string, to: string) => `characters ${from} to ${to}`,
    page: (page: string) => `page ${page}`,
    sources: 'Sources, with the quotes marked',
    inSource: 'Show in source',
    quotes: (n: number) => (n === 0 ? 'no quote' : n === 1 ? '1 quote' : `${n} quotes`),
    toFinding: (n: string) => `Finding ${n}`,
  },
} satisfies KindWords<'research'>;

const fr: typeof en = {
  name: 'Recherche',
  about: 'Des passages exacts de vos sources qui répondent à une question.',
  fields: {
    sources: {
      label: 'Sources',
      one: 'source',
      members: {
        id: { label: 'Identifiant' },
        title: { label: 'Titre' },
        text: { label: 'Texte' },
        url: { label: 'Adresse', hint: 'jamais consultée' },
      },
    },
  },

  result: {
    findings: 'Passages trouvés',
    order: 'Ordre des passages',
    byRank: 'Par rang',
    bySource: 'Par source',
    none: 'Aucun passage pertinent trouvé.',
    from: (quotes, cited, sources) => `${quotes} citations tirées de ${cited} sources sur ${sources}`,
    exact: 'Chaque citation correspond mot pour mot à sa source.',
    inexact: (n) =>
      n === 1 ? 'Une citation ne correspond pas à sa source.' : `${n} citations ne correspondent pas à leurs sources.`,
    noSources: 'Les sources ont été effacées : les citations ne peuvent pas y être comparées.',
    covered: (part, whole) => `${part} mots de l’objectif couverts sur ${whole}`,
    coverage: 'Couverture de l’objectif',
    uncovered: 'Non couverts',
    score: 'Score',
    model: (name) => `Le modèle ${name} a choisi ces passages et rédigé les affirmations. Seules les citations sont vérifiées.`,
    asked: 'Modèle de la configuration',
    reported: 'Modèle de la réponse',
    unnamed: 'non indiqué',
    mode: 'Format de réponse',
    tokens: 'Jetons',
    tokensUsed: (prompt, completion) => `${prompt} envoyés, ${completion} reçus`,
    uncounted: 'non comptés',
    requestHash: 'Requête (SHA-256)',
    responseHash: 'Réponse (SHA-256)',
    evidence: 'Trace de l’appel',
    copies: (n: string, ids: string) => `répété ${n} fois${ids === '' ? ' dans cette source' : `, aussi dans ${ids}`}`,
    place: (from, to) => `caractères ${from} à ${to}`,
    page: (page) => `page ${page}`,
    sources: 'Sources, avec les citations marquées',
    inSource: 'Montrer dans la source',
    quotes: (n) => (n === 0 ? 'aucune citation' : n === 1 ? '1 citation' : `${n} citations`),
    toFinding: (n) => `Passage ${n}`,
  },
};

export const words: Translated<typeof en> = { en, fr };
