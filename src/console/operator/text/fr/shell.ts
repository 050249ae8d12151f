/** French: what stands around every page. */
import type { PageWords } from '../../../kit/text/words.js';
import type { shell as Shell, states as States } from '../en/shell.js';

export const page: PageWords = {
  app: 'Console de l’opérateur',
  commandHome:
    'AGENT_HOME ou --home désigne le répertoire de cet agent ; sans eux, une commande utilise le répertoire par défaut.',
  notSent: 'La mission n’a pas été mise en file',
  signIn: {
    lead: 'Cette console montre ce qui vous attend, vous laisse décider et vous permet de vérifier ce que dit l’écran.',
    where:
      'Le jeton d’un nouvel agent se trouve dans le fichier api.token de son répertoire ; agent-cli init en affiche le chemin. Les jetons nommés se créent avec agent-cli token create.',
    wrong: 'L’agent n’accepte pas ce jeton.',
    ended: 'L’agent n’accepte plus le jeton. Connectez-vous de nouveau.',
  },
  problem: {
    network: 'L’agent ne répond pas. Est-il en marche ? La page garde ce que vous avez saisi.',
    unexpected: 'L’agent a répondu quelque chose que cette console ne comprend pas.',
  },
};

export const shell: typeof Shell = {
  pages: { missions: 'Missions', create: 'Nouvelle mission', journal: 'Journal', tools: 'Outils', doctor: 'Diagnostic' },
  actingAs: (name, role) => `Vous agissez en tant que ${name} (${role})`,
  access: { viewer: 'lecture', reviewer: 'réviseur', admin: 'administrateur' },
  control: { ready: 'Prêt', paused: 'En pause', pause: 'Suspendre', resume: 'Reprendre' },
  controlHint: {
    pause: 'Arrêter l’exécution, la revue et l’enregistrement des reçus',
    resume: 'Autoriser de nouveau l’exécution et la revue',
  },
  pausedBanner:
    'L’agent est en pause. L’exécution, la revue et l’enregistrement des reçus sont arrêtés jusqu’à la reprise ; des missions peuvent encore être mises en file.',
  pausedNow: 'L’agent est en pause.',
  resumedNow: 'L’agent est de nouveau prêt.',
  feedHint: 'Les nouvelles entrées du journal apparaissent ici dès qu’elles sont écrites.',
  journalBad: 'L’agent n’a pas pu vérifier son journal. Ne vous fiez à rien sur ces pages avant que le diagnostic soit bon.',
  limited:
    'L’agent accepte le jeton mais ne peut pas dire son état. Le diagnostic dit ce qui y remédie ; un administrateur peut le suspendre.',
  seeDoctor: 'Ouvrir le diagnostic',
  notFound: 'Cette page n’existe pas',
  notFoundText: (path) => `Il n’y a rien à l’adresse « ${path} ».`,
  toMissions: 'Vers les missions',
};

export const states: typeof States = {
  queued: 'En file',
  running: 'En cours',
  review: 'Attend une revue',
  completed: 'Terminée',
  rejected: 'Rejetée',
  failed: 'Échouée',
};
