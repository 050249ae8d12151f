/** What the form and the result of an allocation mission say, in every language. */
import { reasonTexts } from '../../../../kinds/allocation/view.js';
import { byName, same, type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

const reasonsInFrench: Readonly<Record<string, string>> = {
  impossible: 'avec ce qu’il exige et ce qui est obligatoire, il dépasse une limite ou enfreint une exclusion',
  'zero value': 'sans valeur',
  requires: 'exige un élément qui n’est pas retenu',
  excludes: 'exclu par un élément retenu',
  group: 'un autre élément de son groupe est retenu',
  budget: 'dépasse le budget',
  risk: 'dépasse la limite de risque',
  'lower value': 'moins de valeur que les éléments retenus',
};

export const words = translated({
  name: same('Allocation'),
  about: [
    'The best portfolio under a budget, a risk limit and your rules.',
    'Le meilleur portefeuille sous un budget, une limite de risque et vos règles.',
  ],
  fields: {
    items: {
      label: ['Items', 'Éléments'],
      one: ['item', 'élément'],
      hint: [
        'An item has an id (letters, digits, _ and -), a title or both. Requires and excludes name other items by id or title, separated by semicolons. At most one item of a group is selected; one with an x under Must be chosen always is.',
        'Un élément a un identifiant (lettres, chiffres, _ et -), un titre ou les deux. Les éléments requis et exclus sont nommés par leur identifiant ou leur titre, séparés par des points-virgules. Un élément au plus est retenu par groupe ; celui qui a un x sous Obligatoire l’est toujours.',
      ],
      members: {
        id: { label: ['Id', 'Identifiant'] },
        title: { label: ['Title', 'Titre'] },
        cost: { label: ['Cost', 'Coût'] },
        value: { label: ['Value', 'Valeur'] },
        risk: { label: ['Risk', 'Risque'] },
        group: { label: ['Group', 'Groupe'] },
        requires: { label: ['Requires', 'Exige'] },
        excludes: { label: ['Excludes', 'Exclut'] },
        required: { label: ['Must be chosen', 'Obligatoire'], options: { true: ['yes', 'oui'], false: ['no', 'non'] } },
      },
    },
    budget: { label: same('Budget') },
    max_risk: { label: ['Risk limit', 'Limite de risque'] },
    unit: { label: ['Unit', 'Unité'] },
  },
  result: {
    value: ['Value', 'Valeur'],
    cost: ['Cost', 'Coût'],
    risk: ['Risk', 'Risque'],
    budget: same('Budget'),
    of: (part: string, whole: string, share: string) => [`${part} of ${whole} (${share})`, `${part} sur ${whole} (${share})`],
    noLimit: ['no limit', 'sans limite'],
    selected: (part: string, whole: string) => [`Selected: ${part} of ${whole}`, `Retenus : ${part} sur ${whole}`],
    item: ['Item', 'Élément'],
    share: ['Share', 'Part'],
    leftOut: (n: string) => [`Left out: ${n}`, `Écartés : ${n}`],
    reason: ['Reason', 'Motif'],
    reasons: byName(
      Object.fromEntries(
        Object.entries(reasonTexts).map(([reason, text]) => [reason, [text, reasonsInFrench[reason] ?? text]] as const),
      ),
    ),
    pareto: ['Value against cost', 'Valeur selon le coût'],
    paretoText: [
      'Pareto-optimal options: no option that was found has more value at the same or lower cost and risk.',
      'Options optimales au sens de Pareto : aucune option trouvée n’a plus de valeur sans coûter ou risquer davantage.',
    ],
    chosen: ['this selection', 'cette sélection'],
    others: ['other options', 'autres options'],
    budgetLine: same('budget'),
    option: same('Option'),
    point: (value: string, cost: string, unit: string, risk: string) => [
      `Value ${value}, cost ${cost} (${unit}), risk ${risk}`,
      `Valeur ${value}, coût ${cost} (${unit}), risque ${risk}`,
    ],
    costAxis: (unit: string) => [`Cost, ${unit}`, `Coût, ${unit}`],
    valueAxis: ['Value, in the unit of the items', 'Valeur, dans l’unité des éléments'],
    paretoAlt: (n: string, value: string, cost: string) => [
      `Scatter plot of ${n} options by cost and value. This selection has value ${value} at cost ${cost}.`,
      `Nuage de ${n} options selon le coût et la valeur. Cette sélection vaut ${value} pour un coût de ${cost}.`,
    ],
    whatIf: ['With another budget', 'Avec un autre budget'],
    less: ['10% less', '10 % de moins'],
    extra: ['10% more', '10 % de plus'],
    notProven: ['not proven optimal', 'optimalité non prouvée'],
    change: ['Change', 'Écart'],
    tooSmall: ['less than the required items cost', 'moins que le coût des éléments obligatoires'],
  },
} satisfies TextsOf<KindWords<'allocation'>>);
