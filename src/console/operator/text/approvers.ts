/** What the pages say: approvers and their passkeys. */
import { same, texts } from '../../kit/text/words.js';

export const approvers = texts({
  title: ['Approvers', 'Approbateurs'],
  lead: [
    'People whose keys sign approvals. Compare each fingerprint with the person’s own: whoever adds keys decides who is called what.',
    'Les personnes dont les clés signent les approbations. Comparez chaque empreinte avec celle de la personne : qui ajoute les clés décide des noms.',
  ],
  empty: ['No approvers yet', 'Aucun approbateur pour l’instant'],
  removed: ['removed', 'retiré'],
  kinds: { ssh: ['SSH key', 'Clé SSH'], passkey: ['Passkey', 'Clé d’accès'] },
  added: (at: string) => [`added ${at}`, `ajoutée le ${at}`],
  keyRemoved: (at: string, reason: string) => [`removed ${at}: ${reason}`, `retirée le ${at} : ${reason}`],
  remove: ['Remove', 'Retirer'],
  removeKey: ['Remove key', 'Retirer la clé'],
  removeOne: (what: string) => [`Remove ${what}`, `Retirer ${what}`],
  removeText: [
    'What was approved with it stays valid. It approves nothing from now on, and the key cannot be added again.',
    'Ce qui a été approuvé reste valable. Rien ne sera plus approuvé ainsi, et la clé ne pourra pas être ajoutée de nouveau.',
  ],
  removedNow: (what: string) => [`Removed ${what}.`, `${what} : retrait enregistré.`],
  add: ['Add a passkey by link', 'Ajouter une clé d’accès par lien'],
  addText: [
    'Make a link and send it to the person. It works once, for ten minutes: whoever opens it registers a passkey under this name. Add SSH keys on the command line.',
    'Créez un lien et envoyez-le à la personne. Il sert une fois, pendant dix minutes : qui l’ouvre enregistre une clé d’accès sous ce nom. Les clés SSH s’ajoutent en ligne de commande.',
  ],
  name: ['Name', 'Nom'],
  titleField: ['Title (optional)', 'Titre (facultatif)'],
  personTitle: ['Title', 'Titre'],
  makeLink: ['Make link', 'Créer le lien'],
  linkFor: (name: string, until: string) => [`For ${name}, until ${until}:`, `Pour ${name}, jusqu’à ${until} :`],
  copyLink: ['Copy link', 'Copier le lien'],
  registerTitle: ['Register a passkey', 'Enregistrer une clé d’accès'],
  registerText: (name: string) => [
    `This passkey will approve results as ${name}. Your device asks for its PIN, fingerprint or face each time. The agent gets the public key only.`,
    `Cette clé d’accès approuvera des résultats au nom de ${name}. Votre appareil demande chaque fois son code, une empreinte digitale ou un visage. L’agent ne reçoit que la clé publique.`,
  ],
  linkAgain: [
    'This page forgets its link when it is loaded again. Open the link once more.',
    'Cette page oublie son lien quand elle est rechargée. Ouvrez le lien de nouveau.',
  ],
  linkUntil: ['Link valid until', 'Lien valable jusqu’à'],
  register: ['Create passkey', 'Créer la clé d’accès'],
  registering: ['Waiting for your device…', 'En attente de votre appareil…'],
  registered: (name: string) => [
    `The passkey is registered for ${name}. Its fingerprint is:`,
    `La clé d’accès de ${name} est enregistrée. Son empreinte est :`,
  ],
  compare: [
    'Keep it, and tell it to those who check your approvals: it names your key, whatever name stands beside it.',
    'Gardez-la et donnez-la à ceux qui contrôlent vos approbations : elle désigne votre clé, quel que soit le nom qui l’accompagne.',
  ],
  toConsole: ['Open the console', 'Ouvrir la console'],
  openLocal: ['Open this page at localhost', 'Ouvrir cette page sur localhost'],
  obstacles: {
    address: (host: string) => [
      `A passkey belongs to a name, and ${host} is an address. Browsers use no passkeys here.`,
      `Une clé d’accès appartient à un nom, et ${host} est une adresse. Les navigateurs n’y utilisent pas de clé d’accès.`,
    ],
    insecure: (host: string) => [
      `Browsers use passkeys only over HTTPS or at localhost, and ${host} is neither, or this browser has none.`,
      `Les navigateurs n’utilisent les clés d’accès qu’en HTTPS ou sur localhost ; ${host} n’est ni l’un ni l’autre, ou ce navigateur n’en a pas.`,
    ],
  },
  signWith: ['Sign with', 'Signer avec'],
  signKey: (name: string, fingerprint: string) => [
    `${name}, passkey ${fingerprint.slice(0, 14)}…`,
    `${name}, clé d’accès ${fingerprint.slice(0, 14)}…`,
  ],
  byHome: ['No key of mine: the home records it', 'Aucune de mes clés : l’agent l’enregistre'],
  subject: ['Text to be signed', 'Texte à signer'],
  subjectText: [
    'Your passkey signs one text, from which the values above are read.',
    'Votre clé d’accès signe un seul texte, dont sont lues les valeurs ci-dessus.',
  ],
  signPasskey: ['Sign with passkey', 'Signer avec la clé d’accès'],
  noKey: [
    'This result needs the signature of a person’s key, and no passkey here can approve it. Sign with an SSH key on the command line, or have an administrator make a link for your passkey.',
    'Ce résultat exige la signature de la clé d’une personne, et aucune clé d’accès ne peut l’approuver ici. Signez avec une clé SSH en ligne de commande, ou demandez à un administrateur un lien pour votre clé d’accès.',
  ],
  fields: { approver: ['Approver', 'Approbateur'], key: ['Key', 'Clé'], at: ['Made at', 'Établi à'] },
  count: (n: number, required: number) => [
    required > 0 ? `${n} of ${required}` : n === 1 ? 'Approved by a key' : `Approved by ${n} keys`,
    required > 0 ? `${n} sur ${required}` : n === 1 ? 'Approuvé par une clé' : `Approuvé par ${n} clés`,
  ],
  approvals: ['Approvals', 'Approbations'],
  approvalOf: (kind: string, at: string) => same(`${kind}, ${at}`),
  removedLater: (at: string) => [`key removed later, ${at}`, `clé retirée depuis, le ${at}`],
  approvedAlready: [
    'You have approved this result. It needs other people too.',
    'Vous avez approuvé ce résultat. Il lui faut aussi d’autres personnes.',
  ],
  needed: (n: number) => [
    n === 1 ? 'One person must sign the approval of this result.' : `${n} people must sign the approval of this result.`,
    n === 1
      ? 'Une personne doit signer l’approbation de ce résultat.'
      : `${n} personnes doivent signer l’approbation de ce résultat.`,
  ],
});
