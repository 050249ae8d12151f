/** What the dashboard says: texts around every page of the dashboard. */
import { same, texts } from '../../kit/text/words.js';

export const page = texts({
  app: ['Simulation dashboard', 'Tableau de bord des simulations'],
  commandHome: [
    'Set AGENT_HOME or --home to choose the home that the server works on; otherwise commands use the default home.',
    'Choisissez par AGENT_HOME ou --home le répertoire sur lequel le serveur travaille ; sinon, les commandes utilisent le répertoire par défaut.',
  ],
  notSent: ['The run was not started', 'L’exécution n’a pas été lancée'],
  signIn: {
    lead: [
      'Run scenarios, follow their progress, and read the results: forecasts with uncertainty, sectors and populations',
      'Lancez des scénarios, suivez leur progression et lisez les résultats : prévisions avec incertitude, secteurs et populations',
    ],
    where: [
      'The token is the value of API_TOKEN on the server that serves this page.',
      'Le jeton est la valeur de API_TOKEN sur le serveur qui sert cette page.',
    ],
    wrong: ['The server does not accept this token.', 'Le serveur n’accepte pas ce jeton.'],
    ended: [
      'The server no longer accepts the token. Sign in again.',
      'Le serveur n’accepte plus le jeton. Connectez-vous de nouveau.',
    ],
  },
  problem: {
    network: [
      'The server did not respond. Check that it is running. This page keeps what you typed.',
      'Le serveur n’a pas répondu. Vérifiez qu’il est en marche. La page garde ce que vous avez saisi.',
    ],
    unexpected: [
      'The server sent a response that this dashboard does not understand.',
      'Le serveur a envoyé une réponse que ce tableau de bord ne comprend pas.',
    ],
  },
});

export const shell = texts({
  brand: same('Simulation'),
  pages: {
    new: ['New run', 'Nouvelle exécution'],
    runs: ['Runs', 'Exécutions'],
    compare: ['Compare', 'Comparer'],
    insight: ['Summary', 'Résumé'],
  },
  feedHint: ['Run progress appears here as it happens.', 'La progression des exécutions apparaît ici au fur et à mesure.'],
  toNew: ['Start a new run', 'Lancer une nouvelle exécution'],
  caveatTitle: ['A scenario, not a prediction.', 'Un scénario, pas une prédiction.'],
  caveat: [
    'These figures follow from the inputs and from a simple model. They show what would happen if both held, not what will happen.',
    'Ces chiffres découlent des données saisies et d’un modèle simple. Ils montrent ce qui arriverait si les deux étaient justes, non ce qui arrivera.',
  ],
});

/** What could not be done, above why. */
export const failed = texts({
  agents: ['Could not load the status of the agents', 'Impossible de charger l’état des agents'],
  start: ['Could not start the run', 'Impossible de lancer l’exécution'],
  runs: ['Could not load the runs', 'Impossible de charger les exécutions'],
  run: ['Could not load the run', 'Impossible de charger l’exécution'],
  results: ['Could not load the results', 'Impossible de charger les résultats'],
  solution: ['Could not load the efforts of the solution', 'Impossible de charger les efforts de la solution'],
  cancel: ['Could not cancel the run', 'Impossible d’annuler l’exécution'],
  sweep: ['Could not load the sweep', 'Impossible de charger le balayage'],
  startSweep: ['Could not start the sweep', 'Impossible de lancer le balayage'],
  rename: ['Could not rename the run', 'Impossible de renommer l’exécution'],
  save: ['Could not download the file', 'Impossible de télécharger le fichier'],
  file: ['Could not read the sectors of this file', 'Impossible de lire les secteurs de ce fichier'],
  check: ['Could not verify the hash', 'Impossible de vérifier l’empreinte'],
  summary: ['Could not summarize the runs', 'Impossible de résumer les exécutions'],
});

export const states = texts({
  queued: ['Queued', 'En file'],
  running: ['Running', 'En cours'],
  succeeded: ['Succeeded', 'Réussie'],
  failed: ['Failed', 'Échouée'],
  cancelled: ['Cancelled', 'Annulée'],
});
