/** French: approvers and their passkeys. */
import type { approvers as Approvers } from '../en/approvers.js';

export const approvers: typeof Approvers = {
  title: 'Approbateurs',
  lead: 'Les personnes dont les clés signent les approbations. Comparez chaque empreinte avec celle de la personne : qui ajoute les clés décide des noms.',
  empty: 'Aucun approbateur pour l’instant',
  removed: 'retiré',
  kinds: { ssh: 'Clé SSH', passkey: 'Clé d’accès' },
  added: (at) => `ajoutée le ${at}`,
  keyRemoved: (at, reason) => `retirée le ${at} : ${reason}`,
  remove: 'Retirer',
  removeKey: 'Retirer la clé',
  removeOne: (what) => `Retirer ${what}`,
  removeText:
    'Ce qui a été approuvé reste valable. Rien ne sera plus approuvé ainsi, et la clé ne pourra pas être ajoutée de nouveau.',
  reason: 'Motif',
  reasonHint: 'Enregistré dans le journal signé sous votre nom.',
  reasonMissing: 'Donnez un motif. Il est enregistré dans le journal.',
  removedNow: (what) => `${what} : retrait enregistré.`,
  add: 'Ajouter une clé d’accès par lien',
  addText:
    'Créez un lien et envoyez-le à la personne. Il sert une fois, pendant dix minutes : qui l’ouvre enregistre une clé d’accès sous ce nom. Les clés SSH s’ajoutent en ligne de commande.',
  name: 'Nom',
  titleField: 'Titre (facultatif)',
  personTitle: 'Titre',
  makeLink: 'Créer le lien',
  linkFor: (name, until) => `Pour ${name}, jusqu’à ${until} :`,
  copyLink: 'Copier le lien',
  registerTitle: 'Enregistrer une clé d’accès',
  registerText: (name) =>
    `Cette clé d’accès approuvera des résultats au nom de ${name}. Votre appareil demande chaque fois son code, une empreinte digitale ou un visage. L’agent ne reçoit que la clé publique.`,
  linkUntil: 'Lien valable jusqu’à',
  register: 'Créer la clé d’accès',
  registering: 'En attente de votre appareil…',
  registered: (name) => `La clé d’accès de ${name} est enregistrée. Son empreinte est :`,
  compare:
    'Gardez-la et donnez-la à ceux qui contrôlent vos approbations : elle désigne votre clé, quel que soit le nom qui l’accompagne.',
  toConsole: 'Ouvrir la console',
  openLocal: 'Ouvrir cette page sur localhost',
  obstacles: {
    address: (host) =>
      `Une clé d’accès appartient à un nom, et ${host} est une adresse. Les navigateurs n’y utilisent pas de clé d’accès.`,
    insecure: (host) =>
      `Les navigateurs n’utilisent les clés d’accès qu’en HTTPS ou sur localhost ; ${host} n’est ni l’un ni l’autre, ou ce navigateur n’en a pas.`,
  },
  signWith: 'Signer avec',
  signKey: (name, fingerprint) => `${name}, clé d’accès ${fingerprint.slice(0, 14)}…`,
  byHome: 'Aucune de mes clés : l’agent l’enregistre',
  subject: 'Texte à signer',
  subjectText: 'Votre clé d’accès signe un seul texte, dont sont lues les valeurs ci-dessus.',
  signPasskey: 'Signer avec la clé d’accès',
  noKey:
    'Ce résultat exige la signature de la clé d’une personne, et aucune clé d’accès ne peut l’approuver ici. Signez avec une clé SSH en ligne de commande, ou demandez à un administrateur un lien pour votre clé d’accès.',
  fields: {
    approver: 'Approbateur',
    key: 'Clé',
    at: 'Établi à',
    kind: 'Type',
    request_hash: 'Empreinte de la demande',
    origin: 'Journal',
  },
  count: (n, required) => (required > 0 ? `${n} sur ${required}` : n === 1 ? 'Approuvé par une clé' : `Approuvé par ${n} clés`),
  approvals: 'Approbations',
  approvalOf: (kind, at) => `${kind}, ${at}`,
  removedLater: (at) => `clé retirée depuis, le ${at}`,
  approvedAlready: 'Vous avez approuvé ce résultat. Il lui faut aussi d’autres personnes.',
  needed: (n) =>
    n === 1
      ? 'Une personne doit signer l’approbation de ce résultat.'
      : `${n} personnes doivent signer l’approbation de ce résultat.`,
};
