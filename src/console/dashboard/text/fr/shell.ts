/** French: what stands around every page of the dashboard. */
import type { PageWords } from '../../../kit/text/words.js';
import type { shell as Shell, states as States } from '../en/shell.js';

export const page: PageWords = {
  app: 'Tableau de bord des simulations',
  commandHome:
    'AGENT_HOME ou --home désigne le répertoire sur lequel le serveur travaille ; sans eux, une commande utilise le répertoire par défaut.',
  notSent: 'L’exécution n’a pas été lancée',
  signIn: {
    lead: 'Lancez des scénarios, suivez-les et lisez ce qu’ils disent : prévisions avec incertitude, secteurs, populations.',
    where: 'La valeur de API_TOKEN du serveur qui sert cette page.',
    wrong: 'Le serveur n’accepte pas ce jeton.',
    ended: 'Le serveur n’accepte plus le jeton. Connectez-vous de nouveau.',
  },
  problem: {
    network: 'Le serveur ne répond pas. Est-il démarré ? La page garde ce que vous avez saisi.',
    unexpected: 'Le serveur a répondu quelque chose que ce tableau de bord ne comprend pas.',
  },
};

export const shell: typeof Shell = {
  brand: 'Simulation',
  pages: { new: 'Nouvelle exécution', runs: 'Exécutions', compare: 'Comparer', insight: 'Vue d’ensemble' },
  feedHint: 'La progression des exécutions arrive ici au fur et à mesure.',
  notFound: 'Cette page n’existe pas',
  notFoundText: (path) => `Il n’y a rien à l’adresse « ${path} ».`,
  toNew: 'Vers une nouvelle exécution',
  caveatTitle: 'Un scénario, pas une prédiction.',
  caveat:
    'Ces chiffres découlent des données saisies et d’un modèle simple. Ils disent ce qui arriverait si les deux étaient justes, non ce qui arrivera.',
};

export const states: typeof States = {
  queued: 'En attente',
  running: 'En cours',
  succeeded: 'Réussie',
  failed: 'Échouée',
  cancelled: 'Annulée',
};
