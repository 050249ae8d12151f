/** French: a new run. */
import type { form as Form } from '../en/form.js';

export const form: typeof Form = {
  title: 'Nouvelle exécution',
  lead: 'Une exécution prévoit la croissance de la capacité, les secteurs qu’elle bouleverse et quand, et cherche où l’effort aide le plus.',
  preset: 'Partir de',
  presets: {
    standard: {
      name: 'Valeurs du serveur',
      text: 'Tous les champs vides : cinq ans, six secteurs identiques, une petite recherche. Aucun secteur n’est bouleversé.',
    },
    quick: {
      name: 'Aperçu rapide',
      text: 'Dix ans où chaque secteur est bouleversé, quantiles de 200 tirages, une petite recherche. Fini en un instant.',
    },
    thorough: {
      name: 'Approfondi',
      text: 'Trente ans, douze secteurs, 2000 tirages et une longue recherche. Prend quelques secondes.',
    },
    sectors: {
      name: 'Vos propres secteurs',
      text: 'Quinze ans et quatre secteurs d’exemple, à remplacer par les vôtres.',
    },
  },
  startPreset: 'Lancer',
  startOf: (preset) => `Lancer : ${preset}`,
  name: { label: 'Nom (facultatif)', hint: 'Affiché dans la liste des exécutions. Il ne change rien au résultat.' },
  changed: 'Modifié : ce n’est plus un préréglage.',
  fromRun: (id) => `Copié de l’exécution ${id}. Modifiez ce que vous voulez.`,
  fields: {
    horizon: { label: 'Horizon, années', hint: '1 à 200' },
    curve: {
      label: 'Courbe de la capacité',
      options: { logistic: 'logistique', linear: 'linéaire', exponential: 'exponentielle' },
    },
    k: { label: 'Pente k', hint: 'Par défaut : 10 pour logistique, 3 pour exponentielle. Sans effet pour linéaire.' },
    x0: { label: 'Milieu x0', hint: 'En part de l’horizon : 0.5 est à mi-chemin. Sans effet pour linéaire.' },
    energy: { label: 'Énergie initiale', hint: 'Ce qui maintient un secteur tel qu’il est' },
    entropy: {
      label: 'Entropie',
      hint: 'La force avec laquelle la capacité agit sur un secteur : il est bouleversé quand capacité × entropie dépasse son énergie',
    },
    num_sectors: { label: 'Nombre de secteurs', hint: '1 à 1000' },
    pop_size: { label: 'Population', hint: '2 à 10 000' },
    generations: { label: 'Générations', hint: '1 à 10 000' },
    mut_rate: { label: 'Taux de mutation', hint: '0 à 1' },
    xover_rate: { label: 'Taux de croisement', hint: '0 à 1' },
    samples: { label: 'Tirages pour les quantiles', hint: '0, ou de 20 à 2000 ; 0 omet les quantiles de la capacité' },
    spread: {
      label: 'Dispersion des tirages',
      hint: 'De 0 à 4 (1 par défaut) : multiplie la variation de la courbe d’un tirage à l’autre',
    },
    seed: {
      label: 'Graine',
      hint: 'La même graine donne le même résultat. Si elle est vide, une graine est tirée et enregistrée.',
    },
  },
  sectorFields: {
    name: { label: 'Nom' },
    energy: { label: 'Énergie initiale' },
    entropy: { label: 'Entropie' },
    growth: { label: 'Croissance par an' },
  },
  scenario: 'Scénario',
  curveDefault: (name) => `${name} (par défaut)`,
  sectors: 'Secteurs',
  ways: { alike: 'Tous identiques', rows: 'Un par un', json: 'En JSON' },
  sector: 'secteur',
  noRows: 'La liste est vide : l’exécution utilise six secteurs identiques.',
  tooMany: (n, most) => `${n} secteurs sont trop pour des lignes (au plus ${most}). Modifiez-les en JSON.`,
  json: 'Liste des secteurs',
  jsonHint: 'Une liste JSON de noms, ou de {"name", "energy", "entropy", "growth"} ; les nombres omis valent 1, 1 et 0.05.',
  jsonRead: (count, n, first) =>
    count === 0
      ? 'Une liste vide : le serveur utilise six secteurs identiques.'
      : `${count === 1 ? 'Un secteur lu' : `${n} secteurs lus`}, le premier est « ${first} »`,
  jsonFaults: {
    blank: 'Rien n’est encore collé.',
    list: 'Ce JSON n’est pas une liste. Commencez par [ et finissez par ].',
    json: 'Ce n’est pas du JSON valide. Cherchez une virgule, un guillemet ou un crochet manquant.',
  },
  search: 'Recherche',
  repeat: 'Incertitude et répétition',
  decimal: 'Utilisez « . » comme séparateur décimal.',
  work: (work, most) => `Travail : ${work} pas sur au plus ${most} (population × générations × secteurs × années).`,
  submit: 'Lancer l’exécution',
  save: 'Enregistrer la requête dans un fichier',
  started: 'Exécution lancée.',
  latest: 'Dernières exécutions',
  noRuns: 'Aucune exécution pour l’instant',
  noRunsText: 'Les exécutions apparaissent ici, avec leur progression, dès que vous les lancez.',
  allRuns: 'Toutes les exécutions',
};
