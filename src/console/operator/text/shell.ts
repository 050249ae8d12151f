/** What is around every page. */
import { same, texts } from '../../kit/text/words.js';

export const page = texts({
  app: ['Operator console', 'Console de l’opérateur'],
  commandHome: [
    'Set AGENT_HOME or --home to choose the home of this agent; otherwise commands use the default home.',
    'Choisissez le répertoire de cet agent par AGENT_HOME ou --home ; sinon, les commandes utilisent le répertoire par défaut.',
  ],
  notSent: ['The mission was not queued', 'La mission n’a pas été mise en file'],
  signIn: {
    lead: ['Review, approve and verify mission results', 'Examinez, approuvez et vérifiez les résultats des missions'],
    where: [
      'Your token is in api.token, in the home directory of the agent; agent-cli init prints its path. To create a named token, run agent-cli token create.',
      'Votre jeton est dans api.token, dans le répertoire de l’agent ; agent-cli init en affiche le chemin. Pour créer un jeton nommé, exécutez agent-cli token create.',
    ],
    wrong: ['The agent does not accept this token.', 'L’agent n’accepte pas ce jeton.'],
    ended: [
      'The agent no longer accepts the token. Sign in again.',
      'L’agent n’accepte plus le jeton. Connectez-vous de nouveau.',
    ],
  },
  problem: {
    network: [
      'The agent did not respond. Check that it is running. This page keeps what you typed.',
      'L’agent n’a pas répondu. Vérifiez qu’il est en marche. La page garde ce que vous avez saisi.',
    ],
    unexpected: [
      'The agent sent a response that this console does not understand.',
      'L’agent a envoyé une réponse que cette console ne comprend pas.',
    ],
  },
});

export const shell = texts({
  pages: {
    missions: same('Missions'),
    create: ['New mission', 'Nouvelle mission'],
    payments: ['Payments', 'Paiements'],
    journal: same('Journal'),
    tools: ['Tools', 'Outils'],
    approvers: ['Approvers', 'Approbateurs'],
    doctor: ['Doctor', 'Diagnostic'],
  },
  actingAs: (name: string, role: string) => [`Signed in as ${name} (${role})`, `Connecté en tant que ${name} (${role})`],
  actsFor: (name: string, approver: string) => [
    name === approver ? name : `${name}, for ${approver}`,
    name === approver ? name : `${name}, pour ${approver}`,
  ],
  access: {
    viewer: ['viewer', 'lecture'],
    reviewer: ['reviewer', 'réviseur'],
    admin: ['admin', 'administrateur'],
    agent: same('assistant'),
  },
  control: {
    ready: ['Ready', 'Prêt'],
    paused: ['Paused', 'En pause'],
    pause: ['Pause', 'Suspendre'],
    resume: ['Resume', 'Reprendre'],
  },
  controlHint: {
    pause: ['Stop execution, review and receipt recording', 'Arrêter l’exécution, la revue et l’enregistrement des reçus'],
    resume: ['Allow execution, review and receipt recording', 'Autoriser l’exécution, la revue et l’enregistrement des reçus'],
  },
  pausedBanner: [
    'The agent is paused. Execution, review and receipt recording are stopped until it is resumed. Missions can still be queued.',
    'L’agent est en pause. L’exécution, la revue et l’enregistrement des reçus sont arrêtés jusqu’à la reprise. Des missions peuvent encore être mises en file.',
  ],
  pausedNow: ['The agent is paused.', 'L’agent est en pause.'],
  resumedNow: ['The agent is ready again.', 'L’agent est de nouveau prêt.'],
  feedHint: [
    'New journal entries appear here as they are written.',
    'Les nouvelles entrées du journal apparaissent ici dès qu’elles sont écrites.',
  ],
  away: [
    'The agent does not respond. You see what was loaded last; the page reloads it as soon as the agent is back.',
    'L’agent ne répond pas. Vous voyez les dernières données chargées ; la page les rechargera dès que l’agent sera de retour.',
  ],
  configBad: [
    'config.json is not the signed configuration. Only pauses, failures, cancellations and revocations of tokens are recorded.',
    'config.json n’est pas la configuration signée. Seuls les pauses, les échecs, les annulations et les révocations de jetons sont enregistrés.',
  ],
  readOnly: [
    'The agent cannot write to its home: everything can be read, and nothing can be recorded.',
    'L’agent ne peut pas écrire dans son répertoire : tout peut être lu, et rien ne peut être enregistré.',
  ],
  journalBad: [
    'Journal verification failed. Do not rely on this data.',
    'La vérification du journal a échoué. Ne vous fiez pas à ces données.',
  ],
  limited: [
    'The agent accepts the token but cannot report its status. See Doctor for the fix. An administrator can pause the agent.',
    'L’agent accepte le jeton mais ne peut pas donner son état. Voyez le diagnostic pour y remédier. Un administrateur peut suspendre l’agent.',
  ],
  seeDoctor: ['Open Doctor', 'Ouvrir le diagnostic'],
  keys: {
    title: ['Keyboard shortcuts', 'Raccourcis clavier'],
    search: ['Go to the search', 'Aller à la recherche'],
    next: ['Next in the list', 'Suivant dans la liste'],
    previous: ['Previous in the list', 'Précédent dans la liste'],
    open: ['Open', 'Ouvrir'],
    show: ['Show these shortcuts', 'Afficher ces raccourcis'],
    close: ['Close this dialog', 'Fermer ce dialogue'],
    use: ['Use these shortcuts', 'Utiliser ces raccourcis'],
    where: [
      'They do nothing while you type in a field. Turn them off if they get in the way of your screen reader or voice control.',
      'Ils ne font rien pendant la saisie dans un champ. Désactivez-les s’ils gênent votre lecteur d’écran ou votre commande vocale.',
    ],
  },
  toMissions: ['Go to missions', 'Aller aux missions'],
});

/** What could not be done, above why. */
export const failed = texts({
  status: ['Could not load the status of the agent', 'Impossible de charger l’état de l’agent'],
  pause: ['Could not pause the agent', 'Impossible de suspendre l’agent'],
  resume: ['Could not resume the agent', 'Impossible de reprendre l’agent'],
  checks: ['Could not run the checks', 'Impossible d’effectuer les contrôles'],
  agents: ['Could not load the agents and alerts', 'Impossible de charger les agents et les alertes'],
  missions: ['Could not load the missions', 'Impossible de charger les missions'],
  mission: ['Could not load the mission', 'Impossible de charger la mission'],
  entries: ['Could not load the entries of the mission', 'Impossible de charger les entrées de la mission'],
  queue: ['Could not queue the mission', 'Impossible de mettre la mission en file'],
  read: ['Could not read the files', 'Impossible de lire les fichiers'],
  execute: ['Could not execute the mission', 'Impossible d’exécuter la mission'],
  recover: ['Could not recover the mission', 'Impossible de récupérer la mission'],
  cancel: ['Could not cancel the mission', 'Impossible d’annuler la mission'],
  export: ['Could not download the export', 'Impossible de télécharger l’export'],
  report: ['Could not download the report', 'Impossible de télécharger le rapport'],
  sign: ['Could not sign the decision', 'Impossible de signer la décision'],
  subject: ['Could not load the text to be signed', 'Impossible de charger le texte à signer'],
  approvers: ['Could not load the approvers', 'Impossible de charger les approbateurs'],
  link: ['Could not use the link', 'Impossible d’utiliser le lien'],
  makeLink: ['Could not make the link', 'Impossible de créer le lien'],
  register: ['Could not register the passkey', 'Impossible d’enregistrer la clé d’accès'],
  remove: ['Could not remove it', 'Le retrait a échoué'],
  journal: ['Could not load the journal', 'Impossible de charger le journal'],
  checkpoint: ['Could not load the checkpoint', 'Impossible de charger le point de contrôle'],
  proof: ['Could not load the proof', 'Impossible de charger la preuve'],
  tools: ['Could not load the tools', 'Impossible de charger les outils'],
  tool: ['Could not load the tool', 'Impossible de charger l’outil'],
  toolStatus: ['Could not set the status of the tool', 'Impossible de changer le statut de l’outil'],
  import: ['Could not import the manifest', 'Impossible d’importer le manifeste'],
  wallet: ['Could not load the wallet', 'Impossible de charger le portefeuille'],
  balance: ['Could not read the balance', 'Impossible de lire le solde'],
  challenge: ['Could not issue a challenge', 'Impossible d’émettre un défi'],
  bind: ['Could not bind the address', 'Impossible de lier l’adresse'],
  invoices: ['Could not load the invoices', 'Impossible de charger les factures'],
  invoice: ['Could not issue the invoice', 'Impossible d’émettre la facture'],
  invoiceCancel: ['Could not cancel the invoice', 'Impossible d’annuler la facture'],
  settle: ['Could not check the payment', 'Impossible de vérifier le paiement'],
  verifyReceipt: ['Could not verify the receipt', 'Impossible de vérifier le reçu'],
  qr: ['Could not draw the QR code', 'Impossible de dessiner le code QR'],
});

/** The field of a reason. */
export const reason = texts({
  label: ['Reason', 'Motif'],
  hint: ['Recorded in the signed journal under your name.', 'Enregistré dans le journal signé sous votre nom.'],
  missing: ['Give a reason. It is recorded in the journal.', 'Donnez un motif. Il est enregistré dans le journal.'],
});

export const states = texts({
  queued: ['Queued', 'En file'],
  running: ['Running', 'En cours'],
  review: ['Needs review', 'À examiner'],
  completed: ['Completed', 'Terminée'],
  rejected: ['Rejected', 'Rejetée'],
  failed: ['Failed', 'Échouée'],
});
