/** What the dashboard says: the population, the list of runs, runs beside each other and together, and the agents. */
import { same, texts } from '../../kit/text/words.js';

export const population = texts({
  title: ['Population: effectiveness against risk', 'Population : efficacité et risque'],
  lead: [
    'Each point is one way to divide the adaptation effort among the sectors. Better ones are higher and further to the left.',
    'Chaque point est une façon de répartir l’effort d’adaptation entre les secteurs. Les meilleures se trouvent plus haut et plus à gauche.',
  ],
  riskText: [
    'Risk is the mean energy shortfall in the 4 worst of 64 variations of the curve; below zero there is a surplus even then. Effectiveness is the mean energy gained over no effort. Both are in the unit of the sectors’ energy.',
    'Le risque est le manque moyen d’énergie dans les 4 pires de 64 variantes de la courbe ; sous zéro, il reste un surplus même alors. L’efficacité est l’énergie moyenne gagnée par rapport à l’absence d’effort. Les deux sont dans l’unité d’énergie des secteurs.',
  ],
  riskAxis: ['Risk: energy shortfall in bad cases', 'Risque : manque d’énergie, mauvais cas'],
  effectivenessAxis: ['Effectiveness: energy gained', 'Efficacité : énergie gagnée'],
  surplus: (risk: string, surplus: string) => [`${risk} (a surplus of ${surplus})`, `${risk} (un surplus de ${surplus})`],
  alt: (n: string, front: string) => [
    `Scatter plot of ${n} solutions by risk and effectiveness, shaded by complexity; ${front} of them are on the Pareto front. Use the slider below to browse them.`,
    `Nuage de ${n} solutions selon le risque et l’efficacité, plus foncées quand elles sont complexes ; ${front} d’entre elles sont sur le front de Pareto. Le curseur ci-dessous les parcourt.`,
  ],
  effectiveness: ['Effectiveness', 'Efficacité'],
  risk: ['Risk', 'Risque'],
  complexity: ['Complexity', 'Complexité'],
  rank: ['Rank', 'Rang'],
  front: [
    'Pareto front (rank 0): no solution found is better in one respect without being worse in another',
    'front de Pareto (rang 0) : aucune solution trouvée n’est meilleure sur un point sans être moins bonne sur un autre',
  ],
  behind: ['others', 'les autres'],
  leastComplex: (least: string) => [`Complexity ${least}`, `Complexité ${least}`],
  mostComplex: (most: string) => [`to ${most}`, `à ${most}`],
  frontOnly: ['Pareto front only', 'Front de Pareto seulement'],
  slider: ['Browse solutions', 'Parcourir les solutions'],
  nobody: ['none selected', 'aucune sélectionnée'],
  choose: [
    'Select a solution: click a point, move the slider, or pick one from the table.',
    'Sélectionnez une solution : cliquez sur un point, déplacez le curseur ou prenez-en une dans le tableau.',
  ],
  quick: ['Select', 'Sélectionner'],
  most: ['Most effective', 'La plus efficace'],
  safest: ['Least risk', 'La moins risquée'],
  simplest: ['Simplest', 'La plus simple'],
  clear: ['Clear selection', 'Effacer la sélection'],
  chosen: (n: string) => same(`Solution ${n}`),
  onFront: ['on the Pareto front', 'sur le front de Pareto'],
  behindFront: (rank: string) => [`rank ${rank}`, `rang ${rank}`],
  spoken: (at: string, of: string, effectiveness: string, risk: string, complexity: string, rank: string) => [
    `${at} of ${of}: effectiveness ${effectiveness}, risk ${risk}, complexity ${complexity}, rank ${rank}`,
    `${at} sur ${of} : efficacité ${effectiveness}, risque ${risk}, complexité ${complexity}, rang ${rank}`,
  ],
  shares: ['Effort by sector', 'Effort par secteur'],
  sharesText: (share: string) => [`Uses ${share} of the effort budget.`, `Utilise ${share} du budget d’effort.`],
  noEffort: [
    'Uses no effort: this is the path without adaptation.',
    'N’utilise aucun effort : c’est la trajectoire sans adaptation.',
  ],
  share: ['Share', 'Part'],
  others: (n: string) => [`${n} more sectors`, `${n} autres secteurs`],
  table: ['All solutions', 'Toutes les solutions'],
  number: ['No.', 'N°'],
  pick: (n: string) => [`Select solution ${n}`, `Sélectionner la solution ${n}`],
  pages: ['Pages of the table', 'Pages du tableau'],
  page: (from: string, to: string, of: string) => [`${from} to ${to} of ${of}`, `${from} à ${to} sur ${of}`],
  previous: ['Previous', 'Précédents'],
  next: ['Next', 'Suivants'],
});

export const runs = texts({
  title: ['Runs', 'Exécutions'],
  caption: ['Runs, most recently requested first', 'Exécutions, la dernière demandée d’abord'],
  find: ['Find runs', 'Trouver des exécutions'],
  findHint: ['Part of a name, or the beginning of an id', 'Partie d’un nom, ou début d’un identifiant'],
  clear: ['Clear search', 'Effacer la recherche'],
  ofSweep: ['Runs of the sweep', 'Exécutions du balayage'],
  filter: ['Runs by state', 'Exécutions par état'],
  all: ['All', 'Toutes'],
  columns: {
    pick: ['Compare', 'Comparer'],
    run: ['Run', 'Exécution'],
    state: ['State', 'État'],
    outcome: ['Outcome', 'Résultat'],
    created: ['Requested', 'Demandée'],
    actions: same('Action'),
  },
  capability: (share: string) => [`capability ${share}`, `capacité ${share}`],
  disrupted: (n: string, of: string) => [
    `${n} of ${of} ${of === '1' ? 'sector' : 'sectors'} disrupted`,
    `${n} ${n === '0' || n === '1' ? 'secteur bouleversé' : 'secteurs bouleversés'} sur ${of}`,
  ],
  summary: (years: string, sectors: string, curve: string) => [
    `${years === '1' ? '1 year' : `${years} years`}, ${sectors === '1' ? '1 sector' : `${sectors} sectors`}, ${curve}`,
    `${years === '1' ? '1 an' : `${years} ans`}, ${sectors === '1' ? '1 secteur' : `${sectors} secteurs`}, ${curve}`,
  ],
  search: (individuals: string, generations: string) => [
    `${individuals} individuals, ${generations === '1' ? '1 generation' : `${generations} generations`}`,
    `${individuals} individus, ${generations === '1' ? '1 génération' : `${generations} générations`}`,
  ],
  progress: (id: string) => [`Progress of run ${id}`, `Avancement de l’exécution ${id}`],
  attempt: (n: string) => [`attempt ${n}`, `essai ${n}`],
  cancel: ['Cancel', 'Annuler'],
  cancelRun: (id: string) => [`Cancel run ${id}`, `Annuler l’exécution ${id}`],
  cancelled: (id: string) => [`Run ${id} is being cancelled.`, `L’exécution ${id} est en cours d’annulation.`],
  pick: (id: string) => [`Select run ${id} to compare`, `Sélectionner l’exécution ${id} pour comparer`],
  picked: (n: number) => [
    n === 1 ? '1 run selected.' : `${n} runs selected.`,
    n === 1 ? '1 exécution sélectionnée.' : `${n} exécutions sélectionnées.`,
  ],
  pickHint: ['Select 2 to 6 succeeded runs to compare them.', 'Sélectionnez de 2 à 6 exécutions réussies pour les comparer.'],
  full: ['You can compare at most six.', 'Vous pouvez en comparer six au plus.'],
  compare: ['Compare', 'Comparer'],
  insight: ['Summarize', 'Résumer'],
  empty: ['No runs yet', 'Pas encore d’exécution'],
  emptyText: [
    'Start your first run with one click: every field has a default.',
    'Lancez votre première exécution d’un clic : chaque champ a une valeur par défaut.',
  ],
  emptyFiltered: ['No run matches these filters', 'Aucune exécution ne correspond à ces filtres'],
  showAll: ['Show all runs', 'Montrer toutes les exécutions'],
  newest: ['Newest', 'Les plus récentes'],
  older: ['Older', 'Plus anciennes'],
  pager: ['Pages of the list', 'Pages de la liste'],
});

export const compare = texts({
  title: ['Compare runs', 'Comparer des exécutions'],
  lead: [
    'Two to six runs side by side: inputs, forecasts, results, and when each sector is disrupted.',
    'De deux à six exécutions côte à côte : données d’entrée, prévisions, résultats, et quand chaque secteur est bouleversé.',
  ],
  few: ['Select at least two runs', 'Sélectionnez au moins deux exécutions'],
  fewText: [
    'You can compare two to six succeeded runs from the list.',
    'Vous pouvez comparer de deux à six exécutions réussies de la liste.',
  ],
  many: (n: string) => [
    `Only the first ${n} runs in the address are shown.`,
    `Seules les ${n} premières exécutions de l’adresse sont montrées.`,
  ],
  toRuns: ['Go to runs', 'Aller aux exécutions'],
  run: (n: string) => [`Run ${n}`, `Exécution ${n}`],
  missing: (id: string) => [`Could not load run ${id}`, `Impossible de charger l’exécution ${id}`],
  forecast: ['Forecasts', 'Prévisions'],
  forecastAlt: (n: string, years: string, measure: string) => [
    `${n} lines over ${years} years: ${measure} by year.`,
    `${n} lignes sur ${years} ans : ${measure} par année.`,
  ],
  measure: ['Measure', 'Mesure'],
  capability: ['Capability', 'Capacité'],
  affected: ['Disrupted sectors', 'Secteurs bouleversés'],
  onlyDifferences: ['Differences only', 'Différences seulement'],
  field: ['Field', 'Champ'],
  same: ['The inputs are identical.', 'Les données d’entrée sont identiques.'],
  differs: ['differs', 'diffère'],
  own: (value: string) => [`${value} (curve default)`, `${value} (par défaut de la courbe)`],
  unused: ['not used', 'sans effet'],
  named: (n: string) => [`${n}, from a list`, `${n}, d’une liste`],
  generated: (n: string) => [`${n}, generated`, `${n}, générés`],
  outcome: ['Results', 'Résultats'],
  hypervolumeText: [
    'How much of effectiveness, risk and complexity the Pareto front covers. Compare it only between runs of the same scenario.',
    'L’étendue d’efficacité, de risque et de complexité que couvre le front de Pareto. Ne la comparez qu’entre exécutions d’un même scénario.',
  ],
  noVolume: ['too large to show', 'trop grand pour être affiché'],
  years: ['Year of disruption by sector', 'Année du bouleversement par secteur'],
  absent: ['no such sector', 'secteur absent'],
  sameYears: ['No sector differs.', 'Aucun secteur ne diffère.'],
});

export const insight = texts({
  title: ['Summary of runs', 'Résumé des exécutions'],
  lead: [
    'The mean capability of several runs by year, over the years that all of them share, with each run behind it.',
    'La capacité moyenne de plusieurs exécutions par année, sur les années qu’elles ont toutes, et chacune d’elles derrière.',
  ],
  all: ['All succeeded runs', 'Toutes les exécutions réussies'],
  chosen: (n: number) => [
    n === 1 ? '1 selected run' : `${n} selected runs`,
    n === 1 ? '1 exécution sélectionnée' : `${n} exécutions sélectionnées`,
  ],
  scope: ['Runs included', 'Exécutions incluses'],
  choose: ['Select runs in the list', 'Sélectionner des exécutions dans la liste'],
  chart: ['Capability by year', 'Capacité par année'],
  chartAlt: (runs: string, shared: string, first: string, last: string, years: string) => [
    `Mean capability of ${runs} runs over the ${shared} years that all of them share, from ${first} to ${last}, with a band from the lowest to the highest run; the chart continues to year ${years}.`,
    `Capacité moyenne de ${runs} exécutions sur les ${shared} années qu’elles ont toutes, de ${first} à ${last}, avec une bande de la plus basse à la plus haute ; le graphique continue jusqu’à l’année ${years}.`,
  ],
  sharedMean: (year: string) => [`Mean capability in year ${year}`, `Capacité moyenne en année ${year}`],
  range: (low: string, high: string) => [`lowest ${low}, highest ${high}`, `la plus basse ${low}, la plus haute ${high}`],
  sharedYears: (year: string) => [`all of them reach year ${year}`, `toutes atteignent l’année ${year}`],
  fewerText: (runs: string, year: string) => [
    `All ${runs} runs reach year ${year}. After that, runs end: each later mean is of the runs that are left, so do not compare it with the means before.`,
    `Les ${runs} exécutions atteignent toutes l’année ${year}. Ensuite, certaines se terminent : chaque moyenne ultérieure est celle des exécutions restantes, ne la comparez pas aux précédentes.`,
  ],
  drawn: (n: string, of: string) => [
    `${n} of ${of} runs are drawn one by one; the mean and the range are of all.`,
    `${n} exécutions sur ${of} sont tracées une à une ; la moyenne et l’étendue portent sur toutes.`,
  ],
  reading: (year: string, mean: string, runs: string, low: string, high: string) => [
    `Year ${year}: mean ${mean} (${runs}), lowest ${low}, highest ${high}`,
    `Année ${year} : moyenne ${mean} (${runs}), la plus basse ${low}, la plus haute ${high}`,
  ],
  left: (n: string, of: string) => [
    of === '1' ? 'one run' : n === of ? `all ${of} runs` : `${n} of ${of} runs`,
    of === '1' ? 'une exécution' : n === of ? `les ${of} exécutions` : `${n} exécutions sur ${of}`,
  ],
  mean: ['Mean', 'Moyenne'],
  meanAll: ['mean of all runs', 'moyenne de toutes'],
  meanFewer: ['mean of the runs that are left', 'moyenne des restantes'],
  single: ['one run', 'une exécution'],
  break: ['a run ends', 'fin d’une exécution'],
  band: ['lowest to highest', 'de la plus basse à la plus haute'],
  runsChart: ['Runs that reach each year', 'Exécutions qui atteignent chaque année'],
  runsAlt: (most: string, last: string) => [
    `How many runs reach each year: ${most} at most, ${last} in the last year.`,
    `Combien d’exécutions atteignent chaque année : ${most} au plus, ${last} la dernière année.`,
  ],
  least: ['Lowest', 'La plus basse'],
  highest: ['Highest', 'La plus haute'],
  empty: ['No run has succeeded yet', 'Aucune exécution n’a encore réussi'],
  emptyText: ['A summary needs at least one succeeded run.', 'Un résumé demande au moins une exécution réussie.'],
  nothingLeft: ['None of the selected runs can be used', 'Aucune des exécutions sélectionnées n’est utilisable'],
  nothingLeftText: ['They do not exist or have not succeeded.', 'Elles n’existent pas ou n’ont pas réussi.'],
});

export const agents = texts({
  asked: (time: string) => [`As of ${time}`, `À ${time}`],
  refresh: ['Refresh', 'Actualiser'],
});

export const sweep = texts({
  title: (id: string) => [`Sweep ${id}`, `Balayage ${id}`],
  sweeps: ['Sweeps', 'Balayages'],
  older: ['Older sweeps', 'Balayages plus anciens'],
  singles: ['Single runs', 'Exécutions seules'],
  brief: (values: string, field: string, runs: string) => [
    `${field}: ${values} ${values === '1' ? 'value' : 'values'}, ${runs} ${runs === '1' ? 'run' : 'runs'}`,
    `${field} : ${values} ${values === '1' ? 'valeur' : 'valeurs'}, ${runs} ${runs === '1' ? 'exécution' : 'exécutions'}`,
  ],
  states: {
    running: ['Running', 'En cours'],
    completed: ['Completed', 'Terminé'],
    cancelled: ['Cancelled', 'Annulé'],
  },
  lead: (values: string, field: string, seeds: string) => [
    values === '1'
      ? `One value of “${field}”, ${seeds === '1' ? 'one run' : `with ${seeds} seeds`}.`
      : `${values} values of “${field}”, ${seeds === '1' ? 'one run each' : `each with the same ${seeds} seeds`}.`,
    values === '1'
      ? `Une valeur de « ${field} », ${seeds === '1' ? 'une exécution' : `avec ${seeds} graines`}.`
      : `${values} valeurs de « ${field} », ${seeds === '1' ? 'une exécution chacune' : `chacune avec les mêmes ${seeds} graines`}.`,
  ],
  progress: (n: string, of: string) => [`${n} of ${of} runs succeeded`, `${n} exécutions sur ${of} ont réussi`],
  missing: (n: string) => [
    `Runs that failed or were cancelled: ${n}. No figure below counts them.`,
    `Exécutions qui ont échoué ou ont été annulées : ${n}. Aucun chiffre ci-dessous ne les compte.`,
  ],
  cancel: ['Cancel sweep', 'Annuler le balayage'],
  runs: ['Show the runs', 'Montrer les exécutions'],
  nothing: ['No run has succeeded.', 'Aucune exécution n’a réussi.'],
  legend: (field: string, first: string, last: string) => [
    `One line for each value of “${field}”, from ${first} to ${last}.`,
    `Une ligne par valeur de « ${field} », de ${first} à ${last}.`,
  ],
  influence: ['Influence of the field', 'Influence du champ'],
  measures: {
    affected: ['Disrupted sectors', 'Secteurs bouleversés'],
    effectiveness: ['Best effectiveness', 'Meilleure efficacité'],
    hypervolume: same('Hypervolume'),
  },
  slope: (field: string) => [`Change for each unit of “${field}”`, `Variation par unité de « ${field} »`],
  explained: ['Share of the variance explained', 'Part de la variance expliquée'],
  oneRun: ['needs two runs of a value', 'demande deux exécutions d’une valeur'],
  nothingVaries: ['nothing varies', 'rien ne varie'],
  by: (measure: string, field: string) => [`${measure} by ${field}`, `${measure} selon ${field}`],
  byAlt: (measure: string, n: string, field: string) => [
    `${measure} for ${n} values of ${field}: the mean over the seeds, and the range from the lowest to the highest.`,
    `${measure} pour ${n} valeurs de ${field} : la moyenne sur les graines, et l’étendue de la plus basse à la plus haute.`,
  ],
  byLegend: [
    'Line: mean over the seeds. Band: lowest to highest.',
    'Ligne : moyenne sur les graines. Bande : de la plus basse à la plus haute.',
  ],
  start: ['Sweep: run this for several values of a field', 'Balayage : exécuter cela pour plusieurs valeurs d’un champ'],
  startText: [
    'The other fields are those above. Each value runs with the same seeds; at most 100 values and 1000 runs.',
    'Les autres champs sont ceux ci-dessus. Chaque valeur s’exécute avec les mêmes graines ; au plus 100 valeurs et 1000 exécutions.',
  ],
  field: ['Field to vary', 'Champ à varier'],
  numbers: {
    from: ['From', 'De'],
    to: ['To', 'À'],
    step: ['Step', 'Pas'],
    seeds: ['Seeds for each value', 'Graines par valeur'],
  },
  startButton: ['Start sweep', 'Lancer le balayage'],
  started: ['Sweep started.', 'Balayage lancé.'],
});
