/** The words that every page needs, in every language. */
import { byName, same, translated } from './words.js';

export const kitWords = translated({
  notFound: ['Page not found', 'Page introuvable'],
  notFoundText: (path: string) => [`There is no page at “${path}”.`, `Il n’y a pas de page à l’adresse « ${path} ».`],
  skip: ['Skip to content', 'Aller au contenu'],
  nav: same('Pages'),
  language: ['Language', 'Langue'],
  leave: ['Sign out', 'Se déconnecter'],
  leaveHint: ['Forget the token and return to sign-in', 'Oublier le jeton et revenir à la connexion'],
  feed: {
    connecting: ['Connecting…', 'Connexion…'],
    live: ['Live', 'En direct'],
    broken: ['Disconnected: reconnecting…', 'Déconnecté : reconnexion…'],
  },
  /** Why a character is shown as its code point. */
  points: {
    direction: ['A hidden character that changes the direction of text', 'Un caractère caché qui change le sens du texte'],
    control: ['A control character', 'Un caractère de commande'],
    joiner: ['A hidden character that joins or separates letters', 'Un caractère caché qui lie ou sépare des lettres'],
    selector: [
      'A hidden character that selects a form of the one before it',
      'Un caractère caché qui choisit une forme du précédent',
    ],
    tag: ['A hidden tag character', 'Un caractère d’étiquette caché'],
    invisible: ['A hidden character', 'Un caractère caché'],
    foreign: ['A character without a public meaning', 'Un caractère sans signification publique'],
    stacked: ['One of too many marks on one character', 'Un des signes trop nombreux sur un caractère'],
  },
  hidden: (points: string) => [
    `Contains characters that are not seen: ${points}`,
    `Contient des caractères qui ne se voient pas : ${points}`,
  ],
  /** Between a name and what is said of it. */
  colon: [': ', '\u00a0: '],
  /** Between two things that are said of one. */
  semicolon: ['; ', '\u00a0; '],
  loading: ['Loading…', 'Chargement…'],
  copy: ['Copy', 'Copier'],
  copyCommand: ['Copy command', 'Copier la commande'],
  copied: ['Copied', 'Copié'],
  notCopied: [
    'Could not copy. Select the text and copy it yourself.',
    'Copie impossible. Sélectionnez le texte et copiez-le vous-même.',
  ],
  sameByCommand: ['On the command line', 'En ligne de commande'],
  download: ['Download', 'Télécharger'],
  close: ['Close', 'Fermer'],
  back: ['Back', 'Retour'],
  retry: ['Try again', 'Réessayer'],
  showTable: ['Show as a table', 'Afficher sous forme de tableau'],
  table: { copy: ['Copy table', 'Copier le tableau'], csv: same('CSV'), from: ['from', 'de'], to: ['to', 'à'] },
  wholeForm: ['The form as a whole', 'L’ensemble du formulaire'],
  saveChart: {
    title: ['Save chart', 'Enregistrer le graphique'],
    svg: same('SVG'),
    png: same('PNG'),
    failed: [
      'This browser could not draw the chart as PNG. Save it as SVG.',
      'Ce navigateur n’a pas pu dessiner le graphique en PNG. Enregistrez-le en SVG.',
    ],
  },
  rows: {
    optional: ['optional', 'facultatif'],
    add: ['Add', 'Ajouter'],
    remove: ['Remove', 'Retirer'],
    removeNth: (what: string, n: string) => [`Remove ${what} ${n}`, `Retirer ${what} ${n}`],
  },
  grid: {
    row: ['Row', 'Ligne'],
    cell: (column: string, row: string) => [`${column}, row ${row}`, `${column}, ligne ${row}`],
    add: ['Add row', 'Ajouter une ligne'],
    remove: ['Delete row', 'Supprimer la ligne'],
    undo: ['Undo', 'Annuler'],
    redo: ['Redo', 'Rétablir'],
    keys: [
      'Type in a cell; the arrow keys, Enter and Tab lead to the others. Paste cells from a spreadsheet where they belong. Ctrl+Z undoes. Escape, then Tab leaves the table.',
      'Tapez dans une cellule ; les flèches, Entrée et Tab mènent aux autres. Collez les cellules d’un tableur à leur place. Ctrl+Z annule. Échap, puis Tab quitte la table.',
    ],
  },
  signIn: {
    failed: ['Could not sign in', 'Connexion impossible'],
    title: ['Sign in', 'Connexion'],
    token: ['Access token', 'Jeton d’accès'],
    memory: [
      'The token is kept in the memory of this page only. Reloading or closing the page discards it.',
      'Le jeton n’est gardé que dans la mémoire de cette page. Recharger ou fermer la page l’efface.',
    ],
    submit: ['Sign in', 'Se connecter'],
    checking: ['Checking…', 'Vérification…'],
    empty: ['Paste the token first.', 'Collez d’abord le jeton.'],
    malformed: [
      'This is not a token: it contains characters that tokens never have.',
      'Ce n’est pas un jeton : il contient des caractères qu’un jeton n’a jamais.',
    ],
    assistant: [
      'This token is for an assistant, which works over the API. Sign in with a token of your own.',
      'Ce jeton est celui d’un assistant, qui passe par l’API. Connectez-vous avec votre propre jeton.',
    ],
    show: ['Show token', 'Afficher le jeton'],
    link: [
      'This login link is no longer valid: a link works once, within two minutes. Paste the token instead.',
      'Ce lien de connexion n’est plus valable : un lien sert une fois, dans les deux minutes. Collez plutôt le jeton.',
    ],
  },
  problem: {
    file: ['Check the file and choose it again.', 'Vérifiez le fichier et choisissez-le de nouveau.'],
    passkey: [
      'The browser used no passkey: it was cancelled, took too long, or this device does not hold it. Nothing was sent.',
      'Le navigateur n’a utilisé aucune clé d’accès : opération annulée, trop longue, ou clé absente de cet appareil. Rien n’a été envoyé.',
    ],
    code: ['Error code', 'Code d’erreur'],
    fix: ['How to fix it', 'Comment y remédier'],
    later: (seconds: number) => [`Try again in ${seconds} s.`, `Réessayez dans ${seconds} s.`],
    errors: (n: number) => [n === 1 ? 'Fix 1 field' : `Fix ${n} fields`, n === 1 ? 'Corrigez 1 champ' : `Corrigez ${n} champs`],
  },
  /** The agents that carry missions and runs, by the names that the server gives them. */
  roles: byName({
    planning: ['Planning', 'Planification'],
    research: ['Research', 'Recherche'],
    strategy: ['Strategy', 'Stratégie'],
    market: ['Market', 'Marché'],
    codegen: ['Code generation', 'Génération de code'],
    safety: ['Safety', 'Sûreté'],
    memory: ['Memory', 'Mémoire'],
  }),
  agents: {
    title: same('Agents'),
    lead: [
      'Seven supervised agents carry out every run and every mission. Unresponsive agents are restarted.',
      'Sept agents surveillés prennent en charge chaque exécution et chaque mission. Les agents qui ne répondent plus sont relancés.',
    ],
    agent: same('Agent'),
    state: ['State', 'État'],
    beats: ['responding', 'répond'],
    silent: ['unresponsive', 'ne répond pas'],
    beat: ['Last heartbeat', 'Dernier signal'],
    restarts: ['Restarts', 'Relances'],
    age: (seconds: string) => [`${seconds} s ago`, `il y a ${seconds} s`],
  },
  workers: {
    title: ['Workers', 'Processus de calcul'],
    lead: [
      'Processes, on this or other machines, that compute jobs of a queue. The list shows the workers heard from in the last ten minutes.',
      'Des processus, sur cette machine ou d’autres, qui calculent les tâches d’une file. La liste montre ceux qui ont donné signe ces dix dernières minutes.',
    ],
    none: [
      'A queue is in use, and no worker was heard from in the last ten minutes.',
      'Une file est utilisée, et aucun processus de calcul n’a donné signe ces dix dernières minutes.',
    ],
    key: ['Key', 'Clé'],
    state: ['State', 'État'],
    version: same('Version'),
    heard: ['Last heard', 'Dernier signal'],
    done: ['Jobs done', 'Tâches terminées'],
    states: {
      idle: ['idle', 'libre'],
      working: ['working', 'occupé'],
      gone: ['gone', 'injoignable'],
      refuted: ['refuted', 'réfuté'],
      other_version: ['other version', 'autre version'],
    },
  },
});

export type KitWords = (typeof kitWords)['en'];
