/** What the dashboard says: one run and what it answers. */
import { byName, same, texts } from '../../kit/text/words.js';

export const run = texts({
  title: (id: string) => [`Run ${id}`, `Exécution ${id}`],
  created: ['Requested', 'Demandée'],
  took: ['Duration', 'Durée'],
  seconds: (s: string) => same(`${s} s`),
  brief: (years: string, curve: string) => [
    `${years} ${years === '1' ? 'year' : 'years'}, ${curve}`,
    `${years} ${years === '1' ? 'an' : 'ans'}, ${curve}`,
  ],
  progress: ['Progress', 'Progression'],
  progressOf: (id: string) => [`Progress of run ${id}`, `Progression de l’exécution ${id}`],
  waiting: ['Waiting in the queue', 'En attente dans la file'],
  position: (n: string) => [`number ${n} in the queue`, `numéro ${n} dans la file`],
  remaining: (s: string) => [`about ${s} s left`, `encore environ ${s} s`],
  generation: (n: string, of: string) => [`generation ${n} of ${of}`, `génération ${n} sur ${of}`],
  years: (n: string, of: string) => [`year ${n} of ${of}`, `année ${n} sur ${of}`],
  affected: (n: string) => [`disrupted: ${n}`, `bouleversés : ${n}`],
  spoken: (share: string) => [`Running: ${share} of the search complete`, `En cours : ${share} de la recherche effectués`],
  cancel: ['Cancel run', 'Annuler l’exécution'],
  cancelled: ['The run was cancelled. It has no result.', 'L’exécution a été annulée. Elle n’a pas de résultat.'],
  ended: {
    succeeded: ['The run has succeeded.', 'L’exécution a réussi.'],
    failed: ['The run has failed.', 'L’exécution a échoué.'],
    cancelled: ['The run was cancelled.', 'L’exécution a été annulée.'],
  },
  cancelAsked: ['The run is being cancelled.', 'L’exécution est en cours d’annulation.'],
  rename: ['Rename', 'Renommer'],
  renameButton: ['Save name', 'Enregistrer le nom'],
  renamed: ['The name was changed.', 'Le nom a été modifié.'],
  inSweep: ['Part of a sweep', 'Fait partie d’un balayage'],
  failedTitle: ['The run failed', 'L’exécution a échoué'],
  interrupted: ['The server stopped while the run was in progress.', 'Le serveur s’est arrêté pendant l’exécution.'],
  again: ['Change and run again', 'Modifier et relancer'],
  link: ['Copy link', 'Copier le lien'],
  linkHint: [
    'The link names the run and contains no token. Whoever opens it signs in with their own.',
    'Le lien désigne l’exécution et ne contient aucun jeton. Qui l’ouvre se connecte avec le sien.',
  ],
  csv: ['Save forecast (CSV)', 'Enregistrer la prévision (CSV)'],
  xlsx: ['Save tables (Excel)', 'Enregistrer les tableaux (Excel)'],
  html: ['Save page (HTML)', 'Enregistrer la page (HTML)'],
  json: ['Save full result (JSON)', 'Enregistrer le résultat entier (JSON)'],
  result: ['Result', 'Résultat'],
  warnings: ['Warnings', 'Avertissements'],
  warningsKnown: byName({
    'no sector has entropy: none can be disrupted, effort changes nothing, and neither curve, k nor x0 matters': [
      'No sector has entropy: none can be disrupted, effort changes nothing, and neither curve, k nor x0 matters.',
      'Aucun secteur n’a d’entropie : aucun ne peut être bouleversé, l’effort ne change rien, et ni la courbe, ni k, ni x0 ne comptent.',
    ],
    'no sector is disrupted within the horizon: capability × entropy never exceeds energy; a steeper curve, more entropy or less energy would change that':
      [
        'No sector is disrupted within the horizon: capability × entropy never exceeds energy. A steeper curve, more entropy or less energy would change that.',
        'Aucun secteur n’est bouleversé dans l’horizon : capacité × entropie ne dépasse jamais l’énergie. Une courbe plus raide, plus d’entropie ou moins d’énergie y changerait quelque chose.',
      ],
    "no sector can be disrupted under these inputs: each sector's energy is at least its entropy in every year, so that not even full capability (1) disrupts it; raise entropy, or lower energy or growth":
      [
        'No sector can be disrupted under these inputs: each sector’s energy is at least its entropy in every year, so that not even full capability (100%) disrupts it. Raise entropy, or lower energy or growth.',
        'Aucun secteur ne peut être bouleversé avec ces données : l’énergie de chacun vaut chaque année au moins son entropie, si bien que même la pleine capacité (100 %) ne le bouleverse pas. Augmentez l’entropie, ou baissez l’énergie ou la croissance.',
      ],
    'k and x0 do not apply to the linear curve': [
      'k and x0 do not apply to the linear curve.',
      'k et x0 n’ont pas d’effet sur la courbe linéaire.',
    ],
    'energy, entropy and num_sectors are not used beside a list of sectors': [
      'Energy, entropy and the number of sectors are not used beside a list of sectors.',
      'L’énergie, l’entropie et le nombre de secteurs ne servent pas quand une liste de secteurs est donnée.',
    ],
    'the hypervolume is beyond the numbers that can be written, so it is null': [
      'The hypervolume is beyond the numbers that can be written, so it is left out.',
      'L’hypervolume dépasse les nombres qui peuvent s’écrire : il est omis.',
    ],
  }),
  capabilityEnd: ['Capability at the end', 'Capacité à la fin'],
  inYear: (year: string) => [`in year ${year}`, `l’année ${year}`],
  between: (low: string, high: string) => [`90% interval: ${low}–${high}`, `intervalle à 90 % : ${low}–${high}`],
  disrupted: ['Sectors disrupted', 'Secteurs bouleversés'],
  ofSectors: (n: string, of: string) => [`${n} of ${of}`, `${n} sur ${of}`],
  firstIn: (year: string) => [`the first in year ${year}`, `le premier l’année ${year}`],
  none: ['none within the horizon', 'aucun dans l’horizon'],
  front: ['Pareto-optimal options', 'Options optimales (Pareto)'],
  ofPopulation: (of: string) => [`of a population of ${of}`, `d’une population de ${of}`],
  hypervolume: same('Hypervolume'),
  hypervolumeHint: ['how much the Pareto-optimal options cover', 'ce que couvrent les options optimales'],
  request: ['Inputs', 'Données d’entrée'],
  requestAll: ['All inputs', 'Toutes les données d’entrée'],
  sectorsGiven: (n: string) => [`${n} given`, `${n} donnés`],
  sectorsAlike: (n: string, energy: string, entropy: string) => [
    `${n} identical: energy ${energy}, entropy ${entropy}`,
    `${n} identiques : énergie ${energy}, entropie ${entropy}`,
  ],
  curveWith: (curve: string, k: string, x0: string) => same(`${curve}, k ${k}, x0 ${x0}`),
  byDefault: ['default', 'par défaut'],
  searchText: (population: string, generations: string, mutation: string, crossover: string) => [
    `population ${population}, generations ${generations}, mutation ${mutation}, crossover ${crossover}`,
    `population ${population}, générations ${generations}, mutation ${mutation}, croisement ${crossover}`,
  ],
  samplesNone: ['none', 'aucun'],
  drawsText: (n: string, pace: string) => [
    `${n} draws: pace varies by about ${pace}`,
    `${n} tirages : l’allure varie d’environ ${pace}`,
  ],
  drawsSteep: (steepness: string) => [`, steepness by about ${steepness}`, `, la pente d’environ ${steepness}`],
  islands: ['Islands', 'Îles'],
  engine: ['Engine', 'Moteur'],
  proof: ['Proof', 'Preuve'],
  proofText: [
    'The outcome is hashed and recorded in the signed journal. Anyone with the home can recompute it.',
    'Le résultat est haché et enregistré dans le journal signé. Quiconque dispose du répertoire peut le recalculer.',
  ],
  hash: ['Outcome hash', 'Empreinte du résultat'],
  entry: ['Journal entry', 'Entrée du journal'],
  entryText: (seq: string) => [`number ${seq}`, `numéro ${seq}`],
  entryHash: ['Hash of the entry', 'Empreinte de l’entrée'],
  check: ['Compute hash here', 'Calculer l’empreinte ici'],
  checking: ['Computing…', 'Calcul…'],
  checkGood: [
    'This page computed the same hash from the data that the server sent.',
    'Cette page a calculé la même empreinte à partir des données que le serveur a envoyées.',
  ],
  checkBad: [
    'The data that the server sent has another hash. Do not rely on this result.',
    'Les données que le serveur a envoyées ont une autre empreinte. Ne vous fiez pas à ce résultat.',
  ],
});

export const forecast = texts({
  title: ['Capability and disruption', 'Capacité et bouleversements'],
  alt: (years: string, first: string, last: string, disrupted: string, of: string) => [
    `Line chart over ${years} years: capability goes from ${first} to ${last}; ${disrupted} of ${of} sectors are disrupted.`,
    `Courbe sur ${years} ans : la capacité va de ${first} à ${last} ; ${disrupted} secteurs sur ${of} sont bouleversés.`,
  ],
  year: ['Year', 'Année'],
  capability: ['Capability', 'Capacité'],
  band90: ['90% interval', 'intervalle à 90 %'],
  band50: ['50% interval', 'intervalle à 50 %'],
  mark: ['sectors disrupted', 'secteurs bouleversés'],
  affected: ['Disrupted', 'Bouleversés'],
  newly: ['New that year', 'Nouveaux cette année-là'],
  quantile: (n: string) => [`${n}%`, `${n} %`],
  reading: (year: string, capability: string, affected: string, of: string) => [
    `Year ${year}: capability ${capability}, disrupted sectors: ${affected} of ${of}`,
    `Année ${year} : capacité ${capability}, secteurs bouleversés : ${affected} sur ${of}`,
  ],
  readingBand: (low: string, high: string) => [`; 90% interval: ${low}–${high}`, ` ; intervalle à 90 % : ${low}–${high}`],
});

export const affected = texts({
  title: ['How sure the disruptions are', 'Certitude des bouleversements'],
  alt: (years: string, low: string, high: string, of: string) => [
    `Line chart over ${years} years: by the last year, ${low} to ${high} of ${of} sectors are disrupted in 90% of the draws of the curve.`,
    `Courbe sur ${years} ans : la dernière année, de ${low} à ${high} secteurs sur ${of} sont bouleversés dans 90 % des tirages de la courbe.`,
  ],
  central: ['Without variation', 'Sans variation'],
  reading: (year: string, affected: string, low: string, high: string) => [
    `Year ${year}: disrupted sectors: ${affected}; 90% interval: ${low}–${high}`,
    `Année ${year} : secteurs bouleversés : ${affected} ; intervalle à 90 % : ${low}–${high}`,
  ],
});

export const sectors = texts({
  title: ['Energy by sector', 'Énergie par secteur'],
  alt: (shown: string, all: string, years: string) => [
    `Line chart of the energy of ${shown} of ${all} sectors over ${years} years. The table below has every sector.`,
    `Courbes de l’énergie de ${shown} secteurs sur ${all} pendant ${years} ans. Le tableau ci-dessous a tous les secteurs.`,
  ],
  energyAxis: ['Energy, in the unit of the inputs', 'Énergie, dans l’unité des entrées'],
  band: ['middle 80% of sectors', '80 % des secteurs au milieu'],
  disruption: ['disruption', 'bouleversement'],
  logarithmic: ['Logarithmic', 'Logarithmique'],
  find: ['Find sector', 'Chercher un secteur'],
  order: ['Order', 'Ordre'],
  orders: {
    given: ['as given', 'tel que donné'],
    disrupted: ['by disruption', 'par bouleversement'],
    energy: ['by final energy', 'par énergie finale'],
    name: ['by name', 'par nom'],
  },
  name: ['Sector', 'Secteur'],
  year: ['Disrupted in year', 'Bouleversé l’année'],
  never: ['not disrupted', 'non bouleversé'],
  probability: ['Probability by the last year', 'Probabilité d’ici la dernière année'],
  first: ['Energy in year 1', 'Énergie l’année 1'],
  last: ['Final energy', 'Énergie finale'],
  draw: (name: string) => [`Show ${name}`, `Montrer ${name}`],
  undraw: (name: string) => [`Hide ${name}`, `Masquer ${name}`],
  drawn: ['Shown', 'Montré'],
  most: (n: string) => [`At most ${n} sectors are shown at a time.`, `Au plus ${n} secteurs sont montrés à la fois.`],
  found: (n: string, of: string) => [`${n} of ${of} sectors`, `${n} secteurs sur ${of}`],
  noneFound: ['No sector name matches.', 'Aucun nom de secteur ne correspond.'],
  byYear: ['Energy of the shown sectors by year', 'Énergie par année des secteurs montrés'],
});
