/** What the form and the result of an allocation mission say, in every language. */
import type { Translated } from '../../../kit/text/language.js';
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
        cost: { label: 'Cost' },
        value: { label: 'Value' },
        risk: { label: 'Risk' },
        group: { label: 'Group' },
        requires: { label: 'Requires' },
        excludes: { label: 'Excludes' },
      },
    },
    budget: { label: 'Budget' },
    max_risk: { label: 'Risk limit' },
    unit: { label: 'Unit' },
  },
  form: {
    idHint: 'Letters, digits, _ and -',
    idsHint: 'ids, separated by commas',
    groupHint: 'At most one item of a group is selected',
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
    reasons: {
      'zero value': 'has no value',
      requires: 'requires an item that is not selected',
      excludes: 'excluded by a selected item',
      group: 'another item of its group is selected',
      budget: 'over budget',
      risk: 'over the risk limit',
      'lower value': 'less value than the selected items',
    } as Readonly<Record<string, string>>,
    pareto: 'Value against cost',
    paretoText: 'Pareto-optimal options: no option that was found has more value at the same or lower cost and risk.',
    chosen: 'this selection',
    others: 'other options',
    budgetLine: 'budget',
    point: (value: string, cost: string, risk: string) => `Value ${value}, cost ${cost}, risk ${risk}`,
    paretoAlt: (n: string, value: string, cost: string) =>
      `Scatter plot of ${n} options by cost and value. This selection has value ${value} at cost ${cost}.`,
    whatIf: 'With another budget',
    less: '10 % less',
    extra: '10 % more',
    change: 'Change',
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
        cost: { label: 'Coût' },
        value: { label: 'Valeur' },
        risk: { label: 'Risque' },
        group: { label: 'Groupe' },
        requires: { label: 'Exige' },
        excludes: { label: 'Exclut' },
      },
    },
    budget: { label: 'Budget' },
    max_risk: { label: 'Limite de risque' },
    unit: { label: 'Unité' },
  },
  form: {
    idHint: 'Lettres, chiffres, _ et -',
    idsHint: 'identifiants séparés par des virgules',
    groupHint: 'Un élément au plus est retenu par groupe',
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
    point: (value, cost, risk) => `Valeur ${value}, coût ${cost}, risque ${risk}`,
    paretoAlt: (n, value, cost) =>
      `Nuage de ${n} options selon le coût et la valeur. Cette sélection vaut ${value} pour un coût de ${cost}.`,
    whatIf: 'Avec un autre budget',
    less: '10 % de moins',
    extra: '10 % de plus',
    change: 'Écart',
  },
};

export const words: Translated<typeof en> = { en, fr };
