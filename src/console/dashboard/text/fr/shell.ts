/** French: texts around every page of the dashboard. */
import type { PageWords } from '../../../kit/text/words.js';
import type { failed as Failed, shell as Shell, states as States } from '../en/shell.js';

export const page: PageWords = {
  app: 'Tableau de bord des simulations',
  commandHome:
    'Choisissez par AGENT_HOME ou --home le répertoire sur lequel le serveur travaille ; sinon, les commandes utilisent le répertoire par défaut.',
  notSent: 'L’exécution n’a pas été lancée',
  signIn: {
    lead: 'Lancez des scénarios, suivez leur progression et lisez les résultats : prévisions avec incertitude, secteurs et populations',
    where: 'Le jeton est la valeur de API_TOKEN sur le serveur qui sert cette page.',
    wrong: 'Le serveur n’accepte pas ce jeton.',
    ended: 'Le serveur n’accepte plus le jeton. Connectez-vous de nouveau.',
  },
  problem: {
    network: 'Le serveur n’a pas répondu. Vérifiez qu’il est en marche. La page garde ce que vous avez saisi.',
    unexpected: 'Le serveur a envoyé une réponse que ce tableau de bord ne comprend pas.',
  },
};

export const shell: typeof Shell = {
  brand: 'Simulation',
  pages: { new: 'Nouvelle exécution', runs: 'Exécutions', compare: 'Comparer', insight: 'Résumé' },
  feedHint: 'La progression des exécutions apparaît ici au fur et à mesure.',
  notFound: 'Page introuvable',
  notFoundText: (path) => `Il n’y a pas de page à l’adresse « ${path} ».`,
  toNew: 'Lancer une nouvelle exécution',
  caveatTitle: 'Un scénario, pas une prédiction.',
  caveat:
    'Ces chiffres découlent des données saisies et d’un modèle simple. Ils montrent ce qui arriverait si les deux étaient justes, non ce qui arrivera.',
};

/** What could not be done, above why. */
export const failed: typeof Failed = {
  agents: 'Impossible de charger l’état des agents',
  start: 'Impossible de lancer l’exécution',
  runs: 'Impossible de charger les exécutions',
  run: 'Impossible de charger l’exécution',
  results: 'Impossible de charger les résultats',
  solution: 'Impossible de charger les efforts de la solution',
  cancel: 'Impossible d’annuler l’exécution',
  sweep: 'Impossible de charger le balayage',
  startSweep: 'Impossible de lancer le balayage',
  rename: 'Impossible de renommer l’exécution',
  save: 'Impossible de télécharger le fichier',
  check: 'Impossible de vérifier l’empreinte',
  summary: 'Impossible de résumer les exécutions',
};

export const states: typeof States = {
  queued: 'En file',
  running: 'En cours',
  succeeded: 'Réussie',
  failed: 'Échouée',
  cancelled: 'Annulée',
};
