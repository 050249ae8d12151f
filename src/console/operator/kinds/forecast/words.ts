/** What the form and the result of a forecast mission say, in every language. */
import { same, type TextsOf, translated } from '../../../kit/text/words.js';
import type { KindWords } from '../shared/draft.js';

export const words = translated({
  name: ['Forecast', 'Prévision'],
  about: [
    'The next values of a series, with intervals and a measured error.',
    'Les prochaines valeurs d’une série, avec des intervalles et une erreur mesurée.',
  ],
  fields: {
    observations: {
      label: same('Observations'),
      hint: [
        'Oldest first, at least 12. Numbers with "." as the decimal separator; a blank cell between values is a gap.',
        'La plus ancienne d’abord, au moins 12. Des nombres avec « . » comme séparateur décimal ; une cellule vide entre des valeurs est une lacune.',
      ],
    },
    gaps: {
      label: ['Gaps', 'Lacunes'],
      hint: ['What stands for a step without a value', 'Ce qui tient lieu d’un pas sans valeur'],
      blank: ['There are no gaps', 'Il n’y a pas de lacune'],
      options: {
        interpolate: ['The line between the values beside it', 'La droite entre les valeurs voisines'],
        zero: same('0'),
        previous: ['The value before it', 'La valeur précédente'],
      },
    },
    horizon: { label: ['Steps ahead', 'Pas à prévoir'] },
    holdout: {
      label: ['Holdout', 'Mis de côté'],
      hint: ['The newest values, kept back to measure the error', 'Valeurs les plus récentes gardées pour mesurer l’erreur'],
    },
    season: {
      label: ['Season', 'Saison'],
      hint: ['Length of a season; auto detects it, 1 for none', 'Longueur d’une saison ; auto la détecte, 1 pour aucune'],
    },
    seasons: {
      label: ['More seasons', 'Autres saisons'],
      hint: ['Up to 4 further lengths, separated by spaces', 'Jusqu’à 4 longueurs de plus, séparées par des espaces'],
    },
    levels: { label: ['Intervals, %', 'Intervalles, %'], hint: ['Separated by spaces', 'Séparés par des espaces'] },
    outliers: {
      label: ['Outliers', 'Valeurs aberrantes'],
      hint: [
        'Single values far from all others; a last one may begin a new level',
        'Des valeurs isolées loin de toutes les autres ; une dernière peut commencer un nouveau niveau',
      ],
      blank: ['Replace all but a last value', 'Remplacer toutes sauf la dernière'],
      options: {
        replace: ['Replace all, the last value too', 'Toutes remplacer, la dernière aussi'],
        keep: ['Replace none', 'N’en remplacer aucune'],
      },
    },
    may_be_negative: {
      label: ['May become negative', 'Peut devenir négative'],
      hint: [
        'A series that was never negative is otherwise forecast without negative values',
        'Sinon, une série qui n’a jamais été négative est prévue sans valeur négative',
      ],
      options: { true: ['Yes', 'Oui'], false: ['No', 'Non'] },
    },
    regressors: {
      label: ['Regressors', 'Régresseurs'],
      hint: [
        'What is known beforehand, such as holidays and promotions as 0 and 1. A line each: its name, a colon, and a value for each observation and each step ahead',
        'Ce qui est connu d’avance, comme jours fériés et promotions en 0 et 1. Une ligne pour chacun : son nom, deux-points, et une valeur par observation et par pas à prévoir',
      ],
    },
    unit: { label: ['Unit', 'Unité'] },
    start: {
      label: ['Date of the first observation', 'Date de la première observation'],
      hint: ['Such as 2026-01-31, or 2026-01-31T08:00:00Z', 'Comme 2026-01-31, ou 2026-01-31T08:00:00Z'],
    },
    step: {
      label: same('Dates'),
      hint: [
        'With a date and a step, charts and results show dates; without them the steps are numbered.',
        'Avec une date et un pas, graphiques et résultats montrent des dates ; sans eux, les pas sont numérotés.',
      ],
      members: {
        unit: {
          label: ['Step', 'Pas'],
          blank: ['Numbered steps', 'Pas numérotés'],
          options: {
            hour: ['Hours', 'Heures'],
            day: ['Days', 'Jours'],
            business_day: ['Business days', 'Jours ouvrés'],
            week: ['Weeks', 'Semaines'],
            month: ['Months', 'Mois'],
            month_end: ['Ends of months', 'Fins de mois'],
            quarter: ['Quarters', 'Trimestres'],
            year: ['Years', 'Années'],
          },
        },
        count: { label: ['Length of a step', 'Longueur d’un pas'] },
      },
    },
  },
  form: { value: ['Value', 'Valeur'] },
  result: {
    chart: ['History, holdout and forecast', 'Historique, période de contrôle et prévision'],
    chartAlt: (steps: string, unit: string, first: string, last: string) => [
      `Fan chart: forecast of ${steps} steps in ${unit}, from ${first} to ${last}, with its intervals after the observed history.`,
      `Graphique en éventail : prévision de ${steps} pas en ${unit}, de ${first} à ${last}, avec ses intervalles après l’historique observé.`,
    ],
    observed: ['observed', 'observé'],
    predicted: ['predicted for the holdout', 'prédit pendant le contrôle'],
    ahead: ['forecast', 'prévision'],
    interval: (level: string) => [`${level}% interval`, `intervalle à ${level} %`],
    holdout: ['holdout', 'mis de côté'],
    outlier: ['Outlier', 'Valeur aberrante'],
    outlierIs: (step: string, value: string, replacement: string) => [
      `of ${value}, ${step}: the forecast takes ${replacement} in its place.`,
      `de ${value}, ${step} : la prévision prend ${replacement} à sa place.`,
    ],
    beyond: [
      'It lies beyond the scale, which is broken there.',
      'Elle est hors de l’échelle, qui est interrompue à cet endroit.',
    ],
    moreOutliers: (n: string) => [`and ${n} more`, `et ${n} de plus`],
    whole: ['Show full history', 'Afficher tout l’historique'],
    tail: ['Show recent history', 'Afficher l’historique récent'],
    step: ['Step', 'Pas'],
    stepName: (step: string) => [`Step ${step}`, `Pas ${step}`],
    datedStep: (date: string, step: string) => same(`${date} (${step.toLowerCase()})`),
    date: same('Date'),
    dateAxis: (offset: string) => [`Date and time, ${offset}`, `Date et heure, ${offset}`],
    axis: ['Step (1 is the oldest observation)', 'Pas (1 est la plus ancienne observation)'],
    readObserved: (step: string, value: string, unit: string) => [
      `${step}: observed ${value} ${unit}`,
      `${step} : observé ${value} ${unit}`,
    ],
    readHeld: (step: string, value: string, guess: string, unit: string) => [
      `${step}: observed ${value} ${unit}, predicted ${guess} while held out`,
      `${step} : observé ${value} ${unit}, prédit ${guess} pendant le contrôle`,
    ],
    readGap: (step: string) => [`${step}: no observed value`, `${step} : aucune valeur observée`],
    gap: ['gap', 'lacune'],
    readAhead: (step: string, value: string, unit: string) => [
      `${step}: forecast ${value} ${unit}`,
      `${step} : prévision ${value} ${unit}`,
    ],
    readInterval: (interval: string, lower: string, upper: string) => [
      `${interval}: ${lower} to ${upper}`,
      `${interval} : ${lower} à ${upper}`,
    ],
    moreSteps: (steps: string) => [
      `The table of the chart has all ${steps} steps.`,
      `Le tableau du graphique donne les ${steps} pas.`,
    ],
    accuracy: ['Accuracy on the holdout', 'Précision sur la période de contrôle'],
    value: ['Forecast', 'Prévision'],
    actual: ['Observed', 'Observé'],
    guess: ['Predicted', 'Prédit'],
    error: ['Error', 'Erreur'],
    mae: ['Mean absolute error', 'Erreur absolue moyenne'],
    mase: same('MASE'),
    maseHint: ['times the mean change over one season or step', 'fois la variation moyenne sur une saison ou un pas'],
    smape: same('sMAPE'),
    baseline: ['Naive (last value) error', 'Erreur naïve (dernière valeur)'],
    coverage: ['Holdout values within the interval', 'Valeurs de contrôle dans l’intervalle'],
    models: ['Models (weights)', 'Modèles (poids)'],
    model: ['Model', 'Modèle'],
    weight: ['Weight', 'Poids'],
    medianOf: (models: string) => [`median of ${models}`, `médiane de ${models}`],
    effects: ['Effects of the regressors', 'Effets des régresseurs'],
    regressor: ['Regressor', 'Régresseur'],
    effect: (unit: string) => [`Effect of one unit, ${unit}`, `Effet d’une unité, ${unit}`],
    applied: ['Taken by the forecast', 'Repris par la prévision'],
    nextValues: ['Next values', 'Prochaines valeurs'],
    forecastTable: ['Forecast with its intervals', 'Prévision avec ses intervalles'],
    holdoutTable: ['Holdout', 'Période de contrôle'],
    from: ['from', 'de'],
    to: ['to', 'à'],
  },
} satisfies TextsOf<KindWords<'forecast'>>);
