/** French: what stands around every page. */
import type {
  kinds as Kinds,
  login as Login,
  problem as ProblemWords,
  shell as Shell,
  stageRoles as Roles,
  states as States,
} from '../en/shell.js';

export const shell: typeof Shell = {
  app: 'Console de l’opérateur',
  skip: 'Aller au contenu',
  nav: 'Pages',
  pages: { missions: 'Missions', create: 'Nouvelle mission', journal: 'Journal', tools: 'Outils', doctor: 'Diagnostic' },
  language: 'Langue',
  leave: 'Verrouiller',
  leaveHint: 'Oublier le jeton et revenir à la page de connexion',
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
  feed: { connecting: 'Connexion…', live: 'En direct', broken: 'Hors direct : reconnexion…' },
  feedHint: 'Les nouvelles entrées du journal apparaissent ici dès qu’elles sont écrites.',
  journalBad: 'L’agent n’a pas pu vérifier son journal. Ne vous fiez à rien sur ces pages avant que le diagnostic soit bon.',
  seeDoctor: 'Ouvrir le diagnostic',
  loading: 'Chargement…',
  notFound: 'Cette page n’existe pas',
  notFoundText: (path) => `Il n’y a rien à l’adresse « ${path} ».`,
  toMissions: 'Vers les missions',
  copy: 'Copier',
  copyCommand: 'Copier la commande',
  copied: 'Copié',
  notCopied: 'Copie impossible : sélectionnez plutôt le texte',
  sameByCommand: 'La même chose en ligne de commande',
  commandHome:
    'AGENT_HOME ou --home désigne le répertoire de cet agent ; sans eux, une commande utilise le répertoire par défaut.',
  download: 'Télécharger',
  close: 'Fermer',
  cancel: 'Retour',
  retry: 'Réessayer',
  showTable: 'Afficher sous forme de tableau',
  more: (n) => `et ${n} de plus`,
};

export const login: typeof Login = {
  title: 'Connexion',
  lead: 'Cette console montre ce qui vous attend, vous laisse décider et vous permet de vérifier ce que dit l’écran.',
  token: 'Jeton d’accès',
  where:
    'Le jeton d’un nouvel agent se trouve dans le fichier api.token de son répertoire ; agent-cli init en affiche le chemin. Les jetons nommés se créent avec agent-cli token create.',
  memory: 'Il n’est gardé que dans la mémoire de cette page. Recharger ou fermer la page l’oublie.',
  submit: 'Se connecter',
  checking: 'Vérification…',
  empty: 'Collez d’abord le jeton.',
  wrong: 'L’agent n’accepte pas ce jeton.',
  malformed: 'Ce ne peut pas être un jeton : il contient des caractères qu’aucun jeton n’a.',
  ended: 'L’agent n’accepte plus le jeton. Connectez-vous de nouveau.',
  show: 'Afficher le jeton',
  limited:
    'L’agent accepte le jeton mais ne peut pas dire son état. Le diagnostic dit ce qui y remédie ; un administrateur peut le suspendre.',
};

export const problem: typeof ProblemWords = {
  title: 'Cela n’a pas fonctionné',
  network: 'L’agent ne répond pas. Est-il en marche ? La page garde ce que vous avez saisi.',
  unexpected: 'L’agent a répondu quelque chose que cette console ne comprend pas.',
  file: 'Le fichier n’a pas pu être lu.',
  code: 'Code',
  mend: 'Ceci y remédie',
  later: (seconds) => `Réessayez dans ${seconds} s.`,
  errors: (n) => (n === 1 ? 'Un champ est à revoir' : `${n} champs sont à revoir`),
};

export const states: typeof States = {
  queued: 'En file',
  running: 'En cours',
  review: 'Attend une revue',
  completed: 'Terminée',
  rejected: 'Rejetée',
  failed: 'Échouée',
};

export const kinds: typeof Kinds = {
  research: 'Recherche',
  allocation: 'Allocation',
  schedule: 'Ordonnancement',
  forecast: 'Prévision',
  code: 'Code',
};

export const stageRoles: typeof Roles = {
  planning: 'Planification',
  research: 'Recherche',
  strategy: 'Stratégie',
  market: 'Marché',
  codegen: 'Génération de code',
  safety: 'Sûreté',
  memory: 'Mémoire',
};
