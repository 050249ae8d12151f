/** French: texts around every page. */
import type { PageWords } from '../../../kit/text/words.js';
import type { failed as Failed, shell as Shell, states as States } from '../en/shell.js';

export const page: PageWords = {
  app: 'Console de l’opérateur',
  commandHome:
    'Choisissez le répertoire de cet agent par AGENT_HOME ou --home ; sinon, les commandes utilisent le répertoire par défaut.',
  notSent: 'La mission n’a pas été mise en file',
  signIn: {
    lead: 'Examinez, approuvez et vérifiez les résultats des missions',
    where:
      'Votre jeton est dans api.token, dans le répertoire de l’agent ; agent-cli init en affiche le chemin. Pour créer un jeton nommé, exécutez agent-cli token create.',
    wrong: 'L’agent n’accepte pas ce jeton.',
    ended: 'L’agent n’accepte plus le jeton. Connectez-vous de nouveau.',
  },
  problem: {
    network: 'L’agent n’a pas répondu. Vérifiez qu’il est en marche. La page garde ce que vous avez saisi.',
    unexpected: 'L’agent a envoyé une réponse que cette console ne comprend pas.',
  },
};

export const shell: typeof Shell = {
  pages: {
    missions: 'Missions',
    create: 'Nouvelle mission',
    payments: 'Paiements',
    journal: 'Journal',
    tools: 'Outils',
    approvers: 'Approbateurs',
    doctor: 'Diagnostic',
  },
  actingAs: (name, role) => `Connecté en tant que ${name} (${role})`,
  actsFor: (name, approver) => (name === approver ? name : `${name}, pour ${approver}`),
  access: { viewer: 'lecture', reviewer: 'réviseur', admin: 'administrateur', agent: 'assistant' },
  control: { ready: 'Prêt', paused: 'En pause', pause: 'Suspendre', resume: 'Reprendre' },
  controlHint: {
    pause: 'Arrêter l’exécution, la revue et l’enregistrement des reçus',
    resume: 'Autoriser l’exécution, la revue et l’enregistrement des reçus',
  },
  pausedBanner:
    'L’agent est en pause. L’exécution, la revue et l’enregistrement des reçus sont arrêtés jusqu’à la reprise. Des missions peuvent encore être mises en file.',
  pausedNow: 'L’agent est en pause.',
  resumedNow: 'L’agent est de nouveau prêt.',
  feedHint: 'Les nouvelles entrées du journal apparaissent ici dès qu’elles sont écrites.',
  away: 'L’agent ne répond pas. Vous voyez les dernières données chargées ; la page les rechargera dès que l’agent sera de retour.',
  configBad:
    'config.json n’est pas la configuration signée. Seuls les pauses, les échecs, les annulations et les révocations de jetons sont enregistrés.',
  journalBad: 'La vérification du journal a échoué. Ne vous fiez pas à ces données.',
  limited:
    'L’agent accepte le jeton mais ne peut pas donner son état. Voyez le diagnostic pour y remédier. Un administrateur peut suspendre l’agent.',
  seeDoctor: 'Ouvrir le diagnostic',
  keys: {
    title: 'Raccourcis clavier',
    search: 'Aller à la recherche',
    next: 'Suivant dans la liste',
    previous: 'Précédent dans la liste',
    open: 'Ouvrir',
    show: 'Afficher ces raccourcis',
    close: 'Fermer ce dialogue',
    use: 'Utiliser ces raccourcis',
    where:
      'Ils ne font rien pendant la saisie dans un champ. Désactivez-les s’ils gênent votre lecteur d’écran ou votre commande vocale.',
  },
  notFound: 'Page introuvable',
  notFoundText: (path) => `Il n’y a pas de page à l’adresse « ${path} ».`,
  toMissions: 'Aller aux missions',
};

/** What could not be done, above why. */
export const failed: typeof Failed = {
  status: 'Impossible de charger l’état de l’agent',
  pause: 'Impossible de suspendre l’agent',
  resume: 'Impossible de reprendre l’agent',
  checks: 'Impossible d’effectuer les contrôles',
  agents: 'Impossible de charger les agents et les alertes',
  missions: 'Impossible de charger les missions',
  mission: 'Impossible de charger la mission',
  entries: 'Impossible de charger les entrées de la mission',
  queue: 'Impossible de mettre la mission en file',
  read: 'Impossible de lire les fichiers',
  execute: 'Impossible d’exécuter la mission',
  recover: 'Impossible de récupérer la mission',
  cancel: 'Impossible d’annuler la mission',
  export: 'Impossible de télécharger l’export',
  report: 'Impossible de télécharger le rapport',
  sign: 'Impossible de signer la décision',
  subject: 'Impossible de charger le texte à signer',
  approvers: 'Impossible de charger les approbateurs',
  link: 'Impossible d’utiliser le lien',
  makeLink: 'Impossible de créer le lien',
  register: 'Impossible d’enregistrer la clé d’accès',
  remove: 'Le retrait a échoué',
  journal: 'Impossible de charger le journal',
  checkpoint: 'Impossible de charger le point de contrôle',
  proof: 'Impossible de charger la preuve',
  tools: 'Impossible de charger les outils',
  tool: 'Impossible de charger l’outil',
  toolStatus: 'Impossible de changer le statut de l’outil',
  import: 'Impossible d’importer le manifeste',
  wallet: 'Impossible de charger le portefeuille',
  balance: 'Impossible de lire le solde',
  challenge: 'Impossible d’émettre un défi',
  bind: 'Impossible de lier l’adresse',
  invoices: 'Impossible de charger les factures',
  invoice: 'Impossible d’émettre la facture',
  invoiceCancel: 'Impossible d’annuler la facture',
  settle: 'Impossible de vérifier le paiement',
  verifyReceipt: 'Impossible de vérifier le reçu',
  qr: 'Impossible de dessiner le code QR',
};

export const states: typeof States = {
  queued: 'En file',
  running: 'En cours',
  review: 'À examiner',
  completed: 'Terminée',
  rejected: 'Rejetée',
  failed: 'Échouée',
};
