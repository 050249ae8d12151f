/** What the form and the result of an allocation mission say, in every language. */
import { reasonTexts } from '../../../../kinds/allocation/view.js';
import type { Translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Allocation',
  about: 'The best portfolio under a budget, a risk limit and your rules.',
  fields: {
    items: {
      label: 'Items',
      one: 'item',
      members: {
        id: { label: 'Id' },
        title: { label: 'Title' },
        cost: { label: 'Cost' },
        value: { label: 'Value' },
        risk: { label: 'Risk' },
        group: { label: 'Group' },
        requires: { label: 'Requires' },
        excludes: { label: 'Excludes' },
        required: { label: 'Must be chosen', options: { true: 'yes', false: 'no' } },
      },
    },
    budget: { label: 'Budget' },
    max_risk: { label: 'Risk limit' },
    unit: { label: 'Unit' },
  },
  form: {
    itemsHint:
      'An item has an id (letters, digits, _ and -), a title or both. Requires and excludes name other items by id or title, separated by semicolons. At most one item of a group is selected; one with an x under Must be chosen always is.',
  },
  result: {
    value: 'Value',
    cost: 'Cost',
    risk: 'Risk',
    budget: 'Budget',
    of: (part: string, whole: string, share: string) => `${part} of ${whole} (${share})`,
    noLimit: 'no limit',
    selected: (part: string, whole: string) => `Selected: ${part} of ${whole}`,
    item: 'Item',
    share: 'Share',
    leftOut: (n: string) => `Left out: ${n}`,
    reason: 'Reason',
    reasons: reasonTexts,
    pareto: 'Value against cost',
    paretoText: 'Pareto-optimal options: no option that was found has more value at the same or lower cost and risk.',
    chosen: 'this selection',
    others: 'other options',
    budgetLine: 'budget',
    option: 'Option',
    point: (value: string, cost: string, unit: string, risk: string) => `Value ${value}, cost ${cost} (${unit}), risk ${risk}`,
    costAxis: (unit: string) => `Cost, ${unit}`,
    valueAxis: 'Value, in the unit of the items',
    paretoAlt: (n: string, value: string, cost: string) =>
      `Scatter plot of ${n} options by cost and value. This selection has value ${value} at cost ${cost}.`,
    whatIf: 'With another budget',
    less: '10 % less',
    extra: '10 % more',
    change: 'Change',
    tooSmall: 'less than the required items cost',
  },
} satisfies KindWords<'allocation'>;

const fr: typeof en = {
  name: 'Allocation',
  about: 'Le meilleur portefeuille sous un budget, une limite de risque et vos règles.',
  fields: {
    items: {
      label: 'Éléments',
      one: 'élément',
      members: {
        id: { label: 'Identifiant' },
        title: { label: 'Titre' },
        cost: { label: 'Coût' },
        value: { label: 'Valeur' },
        risk: { label: 'Risque' },
        group: { label: 'Groupe' },
        requires: { label: 'Exige' },
        excludes: { label: 'Exclut' },
        required: { label: 'Obligatoire', options: { true: 'oui', false: 'non' } },
      },
    },
    budget: { label: 'Budget' },
    max_risk: { label: 'Limite de risque' },
    unit: { label: 'Unité' },
  },
  form: {
    itemsHint:
      'Un élément a un identifiant (lettres, chiffres, _ et -), un titre ou les deux. Les éléments requis et exclus sont nommés par leur identifiant ou leur titre, séparés par des points-virgules. Un élément au plus est retenu par groupe ; celui qui a un x sous Obligatoire l’est toujours.',
  },
  result: {
    value: 'Valeur',
    cost: 'Coût',
    risk: 'Risque',
    budget: 'Budget',
    of: (part, whole, share) => `${part} sur ${whole} (${share})`,
    noLimit: 'sans limite',
    selected: (part, whole) => `Retenus : ${part} sur ${whole}`,
    item: 'Élément',
    share: 'Part',
    leftOut: (n) => `Écartés : ${n}`,
    reason: 'Motif',
    reasons: {
      impossible: 'ne peut pas être retenu : ce qu’il exige ou ce qui est obligatoire l’exclut',
      'zero value': 'sans valeur',
      requires: 'exige un élément qui n’est pas retenu',
      excludes: 'exclu par un élément retenu',
      group: 'un autre élément de son groupe est retenu',
      budget: 'dépasse le budget',
      risk: 'dépasse la limite de risque',
      'lower value': 'moins de valeur que les éléments retenus',
    },
    pareto: 'Valeur selon le coût',
    paretoText:
      'Options optimales au sens de Pareto : aucune option trouvée n’a plus de valeur sans coûter ou risquer davantage.',
    chosen: 'cette sélection',
    others: 'autres options',
    budgetLine: 'budget',
    option: 'Option',
    point: (value, cost, unit, risk) => `Valeur ${value}, coût ${cost} (${unit}), risque ${risk}`,
    costAxis: (unit) => `Coût, ${unit}`,
    valueAxis: 'Valeur, dans l’unité des éléments',
    paretoAlt: (n, value, cost) =>
      `Nuage de ${n} options selon le coût et la valeur. Cette sélection vaut ${value} pour un coût de ${cost}.`,
    whatIf: 'Avec un autre budget',
    less: '10 % de moins',
    extra: '10 % de plus',
    change: 'Écart',
    tooSmall: 'moins que le coût des éléments obligatoires',
  },
};

export const words: Translated<typeof en> = { en, fr };
