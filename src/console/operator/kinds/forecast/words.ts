/** What the form and the result of a forecast mission say, in every language. */
import type { Translated } from '../../../kit/text/language.js';
import type { KindWords } from '../shared/work.js';

const en = {
  name: 'Forecast',
  about: 'The next values of a series, with intervals and a measured error.',
  fields: {
    observations: {
      label: 'Observations',
      hint: 'Numbers with "." as the decimal separator, separated by spaces or line breaks, or by commas followed by a space. Oldest first, at least 12.',
    },
    horizon: { label: 'Steps ahead' },
    holdout: { label: 'Holdout', hint: 'The newest values, kept back to measure the error' },
    season: { label: 'Season', hint: 'Length of a season, or auto' },
    seasons: { label: 'More seasons', hint: 'Up to 4 further lengths, separated by spaces' },
    levels: { label: 'Intervals, %', hint: 'Separated by spaces' },
    unit: { label: 'Unit' },
    start: { label: 'Date of the first observation', hint: 'Such as 2026-01-31, or 2026-01-31T08:00:00Z' },
    step: {
      label: 'Dates',
      members: {
        unit: {
          label: 'Step',
          options: { hour: 'Hours', day: 'Days', week: 'Weeks', month: 'Months', quarter: 'Quarters', year: 'Years' },
        },
        count: { label: 'Length of a step' },
      },
    },
  },
  form: {
    datesHint: 'With a date and a step, charts and results show dates; without them the steps are numbered.',
    noStep: 'Numbered steps',
    read: (n: number, first: string, last: string) =>
      n === 1 ? `1 value read: ${first}` : `${n} values read: ${first} … last ${last}`,
    notRead: (word: string) => `“${word}” is not a number. Use "." as the decimal separator and a space between numbers.`,
  },
  result: {
    chart: 'History, holdout and forecast',
    chartAlt: (steps: string, unit: string, first: string, last: string) =>
      `Fan chart: forecast of ${steps} steps in ${unit}, from ${first} to ${last}, with its intervals after the observed history.`,
    observed: 'observed',
    predicted: 'predicted for the holdout',
    ahead: 'forecast',
    interval: (level: string) => `${level} % interval`,
    holdout: 'holdout',
    whole: 'Show full history',
    tail: 'Show recent history',
    step: 'Step',
    value: 'Forecast',
    actual: 'Observed',
    guess: 'Predicted',
    error: 'Error',
    mae: 'Mean absolute error',
    mase: 'MASE',
    maseHint: 'below 1 is better than repeating the season',
    smape: 'sMAPE',
    baseline: 'Naive (last value) error',
    improvement: 'Improvement',
    coverage: 'Holdout values within the interval',
    models: 'Models (weights)',
    model: 'Model',
    weight: 'Weight',
    forecastTable: 'Forecast with its intervals',
    holdoutTable: 'Holdout',
    from: 'from',
    to: 'to',
  },
} satisfies KindWords<'forecast'>;

const fr: typeof en = {
  name: 'Prévision',
  about: 'Les prochaines valeurs d’une série, avec des intervalles et une erreur mesurée.',
  fields: {
    observations: {
      label: 'Observations',
      hint: 'Des nombres avec « . » comme séparateur décimal, séparés par des espaces ou des lignes, ou par des virgules suivies d’une espace. Le plus ancien d’abord, au moins 12.',
    },
    horizon: { label: 'Pas à prévoir' },
    holdout: { label: 'Mis de côté', hint: 'Valeurs les plus récentes gardées pour mesurer l’erreur' },
    season: { label: 'Saison', hint: 'Longueur d’une saison, ou auto' },
    seasons: { label: 'Autres saisons', hint: 'Jusqu’à 4 longueurs de plus, séparées par des espaces' },
    levels: { label: 'Intervalles, %', hint: 'Séparés par des espaces' },
    unit: { label: 'Unité' },
    start: { label: 'Date de la première observation', hint: 'Comme 2026-01-31, ou 2026-01-31T08:00:00Z' },
    step: {
      label: 'Dates',
      members: {
        unit: {
          label: 'Pas',
          options: { hour: 'Heures', day: 'Jours', week: 'Semaines', month: 'Mois', quarter: 'Trimestres', year: 'Années' },
        },
        count: { label: 'Longueur d’un pas' },
      },
    },
  },
  form: {
    datesHint: 'Avec une date et un pas, graphiques et résultats montrent des dates ; sans eux, les pas sont numérotés.',
    noStep: 'Pas numérotés',
    read: (n, first, last) => (n === 1 ? `1 valeur lue : ${first}` : `${n} valeurs lues : ${first} … dernière ${last}`),
    notRead: (word) =>
      `« ${word} » n’est pas un nombre. Utilisez « . » comme séparateur décimal et une espace entre les nombres.`,
  },
  result: {
    chart: 'Historique, période de contrôle et prévision',
    chartAlt: (steps, unit, first, last) =>
      `Graphique en éventail : prévision de ${steps} pas en ${unit}, de ${first} à ${last}, avec ses intervalles après l’historique observé.`,
    observed: 'observé',
    predicted: 'prédit pendant le contrôle',
    ahead: 'prévision',
    interval: (level) => `intervalle à ${level} %`,
    holdout: 'mis de côté',
    whole: 'Afficher tout l’historique',
    tail: 'Afficher l’historique récent',
    step: 'Pas',
    value: 'Prévision',
    actual: 'Observé',
    guess: 'Prédit',
    error: 'Erreur',
    mae: 'Erreur absolue moyenne',
    mase: 'MASE',
    maseHint: 'sous 1 : mieux que répéter la saison',
    smape: 'sMAPE',
    baseline: 'Erreur naïve (dernière valeur)',
    improvement: 'Amélioration',
    coverage: 'Valeurs de contrôle dans l’intervalle',
    models: 'Modèles (poids)',
    model: 'Modèle',
    weight: 'Poids',
    forecastTable: 'Prévision avec ses intervalles',
    holdoutTable: 'Période de contrôle',
    from: 'de',
    to: 'à',
  },
};

export const words: Translated<typeof en> = { en, fr };
