/** What the dashboard says: a new run. */
import type { FieldWords, SectorWords } from '../pure/draft.js';
import { same, texts, type TextsOf } from '../../kit/text/words.js';

export const form = texts({
  title: ['New run', 'Nouvelle exécution'],
  lead: [
    'A run forecasts how capability grows, which sectors it disrupts and when, and searches for where effort helps most.',
    'Une exécution prévoit la croissance de la capacité, les secteurs qu’elle bouleverse et quand, et cherche où l’effort aide le plus.',
  ],
  preset: ['Start from', 'Partir de'],
  presets: {
    standard: {
      name: ['Server defaults', 'Valeurs du serveur'],
      text: [
        'All fields blank: five years, six identical sectors, a small search. No sector is disrupted.',
        'Tous les champs vides : cinq ans, six secteurs identiques, une petite recherche. Aucun secteur n’est bouleversé.',
      ],
    },
    quick: {
      name: ['Quick look', 'Aperçu rapide'],
      text: [
        'Ten years in which every sector is disrupted, quantiles from 200 draws, a small search. Finishes in a moment.',
        'Dix ans où chaque secteur est bouleversé, quantiles de 200 tirages, une petite recherche. Fini en un instant.',
      ],
    },
    thorough: {
      name: ['Thorough', 'Approfondi'],
      text: [
        'Thirty years, twelve sectors, 2000 draws and a long search. Takes a few seconds.',
        'Trente ans, douze secteurs, 2000 tirages et une longue recherche. Prend quelques secondes.',
      ],
    },
    sectors: {
      name: ['Your own sectors', 'Vos propres secteurs'],
      text: [
        'Fifteen years and four example sectors for you to replace.',
        'Quinze ans et quatre secteurs d’exemple, à remplacer par les vôtres.',
      ],
    },
  },
  startPreset: ['Start', 'Lancer'],
  startOf: (preset: string) => [`Start: ${preset}`, `Lancer : ${preset}`],
  name: {
    label: ['Name (optional)', 'Nom (facultatif)'],
    hint: [
      'Shown in the list of runs. It changes nothing in the result.',
      'Affiché dans la liste des exécutions. Il ne change rien au résultat.',
    ],
  },
  changed: ['Changed: no longer a preset.', 'Modifié : ce n’est plus un préréglage.'],
  fromRun: (id: string) => [
    `Copied from run ${id}. Change what you like.`,
    `Copié de l’exécution ${id}. Modifiez ce que vous voulez.`,
  ],
  fields: {
    horizon: {
      label: ['Horizon, years', 'Horizon, années'],
      hint: ['1 to 200', '1 à 200'],
    },
    curve: {
      label: ['Capability curve', 'Courbe de la capacité'],
      options: {
        logistic: ['logistic', 'logistique'],
        linear: ['linear', 'linéaire'],
        exponential: ['exponential', 'exponentielle'],
      },
    },
    k: {
      label: ['Steepness k', 'Pente k'],
      hint: [
        'Default: 10 for logistic, 3 for exponential. Not used for linear.',
        'Par défaut : 10 pour logistique, 3 pour exponentielle. Sans effet pour linéaire.',
      ],
    },
    x0: {
      label: ['Midpoint x0', 'Milieu x0'],
      hint: [
        'As a share of the horizon: 0.5 is halfway. Not used for linear.',
        'En part de l’horizon : 0.5 est à mi-chemin. Sans effet pour linéaire.',
      ],
    },
    energy: {
      label: ['Initial energy', 'Énergie initiale'],
      hint: ['What keeps a sector as it is', 'Ce qui maintient un secteur tel qu’il est'],
    },
    entropy: {
      label: ['Entropy', 'Entropie'],
      hint: [
        'How strongly capability acts on a sector: it is disrupted when capability × entropy exceeds its energy',
        'La force avec laquelle la capacité agit sur un secteur : il est bouleversé quand capacité × entropie dépasse son énergie',
      ],
    },
    num_sectors: {
      label: ['Number of sectors', 'Nombre de secteurs'],
      hint: ['1 to 1000', '1 à 1000'],
    },
    pop_size: {
      label: same('Population'),
      hint: ['2 to 10,000', '2 à 10 000'],
    },
    generations: {
      label: ['Generations', 'Générations'],
      hint: ['1 to 10,000', '1 à 10 000'],
    },
    mut_rate: {
      label: ['Mutation rate', 'Taux de mutation'],
      hint: ['0 to 1', '0 à 1'],
    },
    xover_rate: {
      label: ['Crossover rate', 'Taux de croisement'],
      hint: ['0 to 1', '0 à 1'],
    },
    samples: {
      label: ['Draws for quantiles', 'Tirages pour les quantiles'],
      hint: [
        '0, or 20 to 2000; 0 leaves the quantiles of capability out',
        '0, ou de 20 à 2000 ; 0 omet les quantiles de la capacité',
      ],
    },
    spread: {
      label: ['Spread of the draws', 'Dispersion des tirages'],
      hint: [
        '0 to 4 (default 1): multiplies how much the curve varies from draw to draw',
        'De 0 à 4 (1 par défaut) : multiplie la variation de la courbe d’un tirage à l’autre',
      ],
    },
    seed: {
      label: ['Seed', 'Graine'],
      hint: [
        'The same seed gives the same result. If it is blank, one is drawn and recorded.',
        'La même graine donne le même résultat. Si elle est vide, une graine est tirée et enregistrée.',
      ],
    },
  } satisfies TextsOf<FieldWords>,
  sectorFields: {
    name: {
      label: ['Name', 'Nom'],
    },
    energy: {
      label: ['Initial energy', 'Énergie initiale'],
    },
    entropy: {
      label: ['Entropy', 'Entropie'],
    },
    growth: {
      label: ['Growth per year', 'Croissance par an'],
    },
  } satisfies TextsOf<SectorWords>,
  scenario: ['Scenario', 'Scénario'],
  curveDefault: (name: string) => [`${name} (default)`, `${name} (par défaut)`],
  sectors: ['Sectors', 'Secteurs'],
  ways: {
    alike: ['All identical', 'Tous identiques'],
    rows: ['One by one', 'Un par un'],
  },
  sector: ['sector', 'secteur'],
  tableHint: [
    'Numbers left blank are 1, 1 and 0.05. An empty table means six identical sectors.',
    'Les nombres laissés vides valent 1, 1 et 0.05. Un tableau vide vaut six secteurs identiques.',
  ],
  tooWide: [
    'Nothing was pasted: the copied cells have more columns than this table. Copy only name, energy, entropy and growth.',
    'Rien n’a été collé : les cellules copiées ont plus de colonnes que cette table. Copiez seulement nom, énergie, entropie et croissance.',
  ],
  saveSectors: ['Save sectors.json for this command', 'Enregistrer sectors.json pour cette commande'],
  file: ['Open a file of sectors', 'Ouvrir un fichier de secteurs'],
  fileHint: [
    'A JSON list of names, or of {"name", "energy", "entropy", "growth"}.',
    'Une liste JSON de noms, ou de {"name", "energy", "entropy", "growth"}.',
  ],
  fileRead: (count: number, n: string) => [
    count === 1 ? 'Read one sector.' : `Read ${n} sectors.`,
    count === 1 ? 'Un secteur lu.' : `${n} secteurs lus.`,
  ],
  search: ['Search', 'Recherche'],
  repeat: ['Uncertainty and repetition', 'Incertitude et répétition'],
  decimal: ['Use "." as the decimal separator.', 'Utilisez « . » comme séparateur décimal.'],
  work: (work: string, most: string) => [
    `Work: ${work} of at most ${most} steps (population × generations × sectors × years).`,
    `Travail : ${work} pas sur au plus ${most} (population × générations × secteurs × années).`,
  ],
  submit: ['Start run', 'Lancer l’exécution'],
  save: ['Save request as file', 'Enregistrer la requête dans un fichier'],
  started: ['Run started.', 'Exécution lancée.'],
  latest: ['Latest runs', 'Dernières exécutions'],
  noRuns: ['No runs yet', 'Aucune exécution pour l’instant'],
  noRunsText: [
    'Runs appear here, with their progress, as soon as you start them.',
    'Les exécutions apparaissent ici, avec leur progression, dès que vous les lancez.',
  ],
  allRuns: ['All runs', 'Toutes les exécutions'],
});
