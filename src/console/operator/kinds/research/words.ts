/** What the form and the result of a research mission say, in every language. */
import { same, type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

export const words = translated({
  name: ['Research', 'Recherche'],
  about: [
    'Exact passages from your sources that answer a question.',
    'Des passages exacts de vos sources qui répondent à une question.',
  ],
  fields: {
    sources: {
      label: same('Sources'),
      one: same('source'),
      members: {
        id: { label: ['Id', 'Identifiant'] },
        title: { label: ['Title', 'Titre'] },
        text: { label: ['Text', 'Texte'] },
        url: { label: ['Address', 'Adresse'], hint: ['never fetched', 'jamais consultée'] },
      },
    },
  },
  result: {
    findings: ['Findings', 'Passages trouvés'],
    order: ['Order of the findings', 'Ordre des passages'],
    byRank: ['By rank', 'Par rang'],
    bySource: ['By source', 'Par source'],
    none: ['No relevant passage found.', 'Aucun passage pertinent trouvé.'],
    from: (quotes: string, cited: string, sources: string) => [
      `${quotes} ${quotes === '1' ? 'quote' : 'quotes'} from ${cited} of ${sources} ${sources === '1' ? 'source' : 'sources'}`,
      `${quotes} ${quotes === '1' ? 'citation tirée' : 'citations tirées'} de ${cited} ${cited === '1' ? 'source' : 'sources'} sur ${sources}`,
    ],
    exact: ['Every quote matches its source word for word.', 'Chaque citation correspond mot pour mot à sa source.'],
    inexact: (n: number) => [
      n === 1 ? 'One quote does not match its source.' : `${n} quotes do not match their sources.`,
      n === 1 ? 'Une citation ne correspond pas à sa source.' : `${n} citations ne correspondent pas à leurs sources.`,
    ],
    noSources: [
      'The sources were erased, so the quotes cannot be checked against them.',
      'Les sources ont été effacées : les citations ne peuvent pas y être comparées.',
    ],
    covered: (part: string, whole: string) => [
      `${part} of ${whole} ${whole === '1' ? 'word' : 'words'} of the goal covered`,
      `${part} ${part === '1' ? 'mot de l’objectif couvert' : 'mots de l’objectif couverts'} sur ${whole}`,
    ],
    noWords: [
      'The goal has no word to look for, only words such as “what” and “the”.',
      'L’objectif n’a aucun mot à chercher, seulement des mots comme « que » et « le ».',
    ],
    coverage: ['Goal coverage', 'Couverture de l’objectif'],
    uncovered: ['Not covered', 'Non couverts'],
    score: same('Score'),
    model: (name: string) => [
      `The model ${name} chose these findings and wrote the claims. Only the quotes are checked.`,
      `Le modèle ${name} a choisi ces passages et rédigé les affirmations. Seules les citations sont vérifiées.`,
    ],
    asked: ['Model in the configuration', 'Modèle de la configuration'],
    reported: ['Model in the response', 'Modèle de la réponse'],
    unnamed: ['not named', 'non indiqué'],
    mode: ['Response format', 'Format de réponse'],
    tokens: ['Tokens', 'Jetons'],
    tokensUsed: (prompt: string, completion: string) => [
      `${prompt} sent, ${completion} received`,
      `${prompt} envoyés, ${completion} reçus`,
    ],
    uncounted: ['not counted', 'non comptés'],
    requestHash: ['Request (SHA-256)', 'Requête (SHA-256)'],
    responseHash: ['Response (SHA-256)', 'Réponse (SHA-256)'],
    evidence: ['Record of the call', 'Trace de l’appel'],
    copies: (n: string, ids: string) => [
      `${n === '1' ? 'repeated once' : `repeated ${n} times`}${ids === '' ? ' in this source' : `, also in ${ids}`}`,
      `répété ${n} fois${ids === '' ? ' dans cette source' : `, aussi dans ${ids}`}`,
    ],
    place: (from: string, to: string) => [`characters ${from} to ${to}`, `caractères ${from} à ${to}`],
    page: (page: string) => same(`page ${page}`),
    sources: ['Sources, with the quotes marked', 'Sources, avec les citations marquées'],
    inSource: ['Show in source', 'Montrer dans la source'],
    quotes: (n: number) => [
      n === 0 ? 'no quote' : n === 1 ? '1 quote' : `${n} quotes`,
      n === 0 ? 'aucune citation' : n === 1 ? '1 citation' : `${n} citations`,
    ],
    toFinding: (n: string) => [`Finding ${n}`, `Passage ${n}`],
  },
} satisfies TextsOf<KindWords<'research'>>);
