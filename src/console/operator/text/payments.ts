/** What the pages say: wallet, invoices, settlement. */
import type { InvoiceRecord } from '../../../codec/api-invoices.js';
import type { Environment, SettlementReason } from '../../../codec/chain.js';
import { byName, type Phrase, same, texts } from '../../kit/text/words.js';

export const payments = texts({
  title: ['Payments', 'Paiements'],
  lead: [
    'Bind a wallet, ask for payment of approved work, and verify payments on the chain. This agent sends nothing to the chain and never asks for a private key.',
    'Liez un portefeuille, demandez le paiement d’un travail approuvé et vérifiez les paiements sur la chaîne. Cet agent n’envoie rien à la chaîne et ne demande jamais de clé privée.',
  ],
  environments: {
    mainnet: ['Mainnet', 'Chaîne principale'],
    test_chain: ['Test chain: these tokens have no value', 'Chaîne de test : ces jetons n’ont aucune valeur'],
  } satisfies Record<Environment, Phrase>,
  chain: ['Chain', 'Chaîne'],
  chainOf: (id: string, environment: string) => same(`${id}. ${environment}`),
  noChain: [
    'No chain is configured. Set "chain" in the configuration to read balances and payments.',
    'Aucune chaîne n’est configurée. Définissez « chain » dans la configuration pour lire soldes et paiements.',
  ],
  tokens: (amount: string) => (amount === '1' ? ['1 token', '1 jeton'] : [`${amount} tokens`, `${amount} jetons`]),
  units: (units: string) => [`${units} base units`, `${units} unités de base`],
  amount: ['Amount', 'Montant'],
});

export const wallet = texts({
  title: ['Wallet', 'Portefeuille'],
  unbound: [
    'No wallet is bound to this agent. Invoices name the bound address as their recipient.',
    'Aucun portefeuille n’est lié à cet agent. Les factures désignent l’adresse liée comme destinataire.',
  ],
  unboundViewer: ['An administrator can bind one.', 'Un administrateur peut en lier un.'],
  once: ['An agent is bound to one address permanently.', 'Un agent est lié à une seule adresse, définitivement.'],
  address: ['Address', 'Adresse'],
  boundAt: ['Bound', 'Liée'],
  balance: ['Balance', 'Solde'],
  readBalance: ['Read balance', 'Lire le solde'],
  balanceHint: ['Read from the configured node at a confirmed block.', 'Lu sur le nœud configuré, à un bloc confirmé.'],
  atBlock: (block: string) => [`at block ${block}`, `au bloc ${block}`],
  step1: ['1. Get a challenge', '1. Obtenir un défi'],
  step1Text: [
    'A challenge is a message to sign with your wallet. It is valid for ten minutes, for one use; a new one replaces it.',
    'Un défi est un message à signer avec votre portefeuille. Il est valable dix minutes, pour une seule utilisation ; un nouveau le remplace.',
  ],
  expected: ['Your address', 'Votre adresse'],
  expectedHint: [
    'The address that will sign, as 0x and 40 hexadecimal digits. Without it you confirm the address after signing.',
    'L’adresse qui signera : 0x et 40 chiffres hexadécimaux. Sans elle, vous confirmez l’adresse après la signature.',
  ],
  optional: ['optional', 'facultatif'],
  challenge: ['Get challenge', 'Obtenir un défi'],
  challengeAgain: ['Get new challenge', 'Obtenir un nouveau défi'],
  step2: ['2. Sign it with your wallet', '2. Le signer avec votre portefeuille'],
  step2Text: [
    'Sign exactly these lines with personal_sign (EIP-191), without a line feed at the end.',
    'Signez exactement ces lignes avec personal_sign (EIP-191), sans saut de ligne à la fin.',
  ],
  message: ['Challenge', 'Défi'],
  copyMessage: ['Copy challenge', 'Copier le défi'],
  expires: (at: string) => [`Expires ${at}.`, `Expire le ${at}.`],
  step3: ['3. Paste the signature', '3. Coller la signature'],
  signature: same('Signature'),
  signatureHint: [
    '0x and 130 hexadecimal digits. A signature is not a private key. Never paste a private key.',
    '0x et 130 chiffres hexadécimaux. Une signature n’est pas une clé privée : ne collez jamais de clé privée.',
  ],
  submit: ['Bind address', 'Lier l’adresse'],
  unconfirmed: (address: string) => [
    `The signature gives the address ${address}. Is it yours?`,
    `La signature donne l’adresse ${address}. Est-ce la vôtre ?`,
  ],
  unconfirmedText: [
    'If it is not, the signature is of a different message or was made with another key. Sign the challenge again.',
    'Sinon, la signature porte sur un autre message ou vient d’une autre clé. Signez le défi à nouveau.',
  ],
  confirm: ['Yes, bind this address', 'Oui, lier cette adresse'],
  boundNow: (address: string) => [`Bound to ${address}.`, `Lié à ${address}.`],
});

export const invoice = texts({
  list: ['Invoices', 'Factures'],
  caption: ['Invoices, newest first', 'Factures, la plus récente en premier'],
  empty: [
    'No invoices yet. Issue one on the page of a completed mission.',
    'Aucune facture. Émettez-en une sur la page d’une mission terminée.',
  ],
  newest: ['Newest', 'Plus récentes'],
  older: ['Older', 'Plus anciennes'],
  pager: ['Pages of invoices', 'Pages de factures'],
  title: ['Payment', 'Paiement'],
  states: {
    awaiting_payment: ['Awaiting payment', 'En attente de paiement'],
    paid: ['Paid', 'Payée'],
    cancelled: ['Cancelled', 'Annulée'],
    expired: ['Expired', 'Expirée'],
  } satisfies Record<InvoiceRecord['state'], Phrase>,
  state: ['State', 'État'],
  none: ['This mission has no invoice.', 'Cette mission n’a pas de facture.'],
  noWallet: [
    'Bind a wallet first: an invoice names its address as the recipient.',
    'Liez d’abord un portefeuille : une facture désigne son adresse comme destinataire.',
  ],
  toWallet: ['Go to payments', 'Aller aux paiements'],
  form: ['Issue an invoice', 'Émettre une facture'],
  formText: [
    'The invoice binds this result, the payer, the amount and the chain settings. Only base units are stored and signed.',
    'La facture lie ce résultat, le payeur, le montant et les réglages de la chaîne. Seules les unités de base sont conservées et signées.',
  ],
  payer: ['Payer', 'Payeur'],
  payerHint: [
    'The address that will pay: 0x and 40 hexadecimal digits.',
    'L’adresse qui paiera : 0x et 40 chiffres hexadécimaux.',
  ],
  amountHint: [
    'Use "." as the decimal separator. At most 18 decimals.',
    'Utilisez « . » comme séparateur décimal. Au plus 18 décimales.',
  ],
  unit: ['Unit of the amount', 'Unité du montant'],
  unitOptions: { tokens: ['Tokens', 'Jetons'], units: ['Base units (10^-18 tokens)', 'Unités de base (10^-18 jetons)'] },
  days: ['Days to pay', 'Jours pour payer'],
  daysHint: [
    'The payment must be in a block within this many days. Without it, the invoice does not expire.',
    'Le paiement doit être dans un bloc dans ce nombre de jours. Sans cela, la facture n’expire pas.',
  ],
  issue: ['Issue invoice', 'Émettre la facture'],
  issued: ['The invoice is issued.', 'La facture est émise.'],
  recipient: ['Recipient', 'Destinataire'],
  payBy: ['Pay by', 'Payer avant'],
  issuedAt: ['Issued', 'Émise'],
  id: ['Invoice', 'Facture'],
  scan: ['Scan to pay', 'Scanner pour payer'],
  qr: (amount: string, recipient: string) => [
    `QR code of the payment request: ${amount} tokens to ${recipient}`,
    `Code QR de la demande de paiement : ${amount} jetons à ${recipient}`,
  ],
  request: ['Payment request (EIP-681)', 'Demande de paiement (EIP-681)'],
  copyRequest: ['Copy request', 'Copier la demande'],
  cancel: ['Cancel invoice', 'Annuler la facture'],
  cancelHint: [
    'No payment of a cancelled invoice can be settled, not even an earlier one.',
    'Aucun paiement d’une facture annulée ne peut être réglé, pas même un paiement antérieur.',
  ],
  cancelled: ['The invoice is cancelled.', 'La facture est annulée.'],
  expiredText: [
    'The time to pay is over. A payment that was in a block in time can still be settled, until another invoice is issued.',
    'Le délai de paiement est passé. Un paiement qui était dans un bloc à temps peut encore être réglé, jusqu’à l’émission d’une autre facture.',
  ],
  replace: ['Issue another invoice', 'Émettre une autre facture'],
});

export const settlement = texts({
  text: [
    'The agent looks for the exact transfer in a confirmed block. It records a receipt only when nothing is in doubt.',
    'L’agent cherche le virement exact dans un bloc confirmé. Il n’enregistre un reçu que si rien n’est douteux.',
  ],
  transaction: ['Transaction hash', 'Empreinte de la transaction'],
  transactionHint: [
    'The hash of the paying transaction: 0x and 64 hexadecimal digits.',
    'L’empreinte de la transaction qui paie : 0x et 64 chiffres hexadécimaux.',
  ],
  logIndex: ['Log index', 'Indice du journal d’événement'],
  logIndexHint: [
    'Among all logs of the block. Only needed if the transaction pays the invoice more than once.',
    'Parmi tous ceux du bloc. Nécessaire seulement si la transaction paie la facture plusieurs fois.',
  ],
  check: ['Check payment', 'Vérifier le paiement'],
  checking: ['Reading the chain…', 'Lecture de la chaîne…'],
  paid: ['Paid', 'Payée'],
  paidText: [
    'The payment is confirmed and its receipt is recorded in the signed journal.',
    'Le paiement est confirmé et son reçu est enregistré dans le journal signé.',
  ],
  notYet: ['Not yet', 'Pas encore'],
  notYetText: ['Nothing was recorded. Check again later.', 'Rien n’a été enregistré. Vérifiez plus tard.'],
  refused: ['Refused', 'Refusé'],
  refusedText: ['Nothing was recorded.', 'Rien n’a été enregistré.'],
  several: [
    'The transaction pays the invoice more than once. Choose the transfer by its log index:',
    'La transaction paie la facture plusieurs fois. Choisissez le virement par son indice :',
  ],
  reason: ['Reason', 'Raison'],
  reasons: {
    wrong_chain: ['The configured node serves a different chain.', 'Le nœud configuré sert une autre chaîne.'],
    wrong_code: [
      'The code at the address of the token is not the pinned one.',
      'Le code à l’adresse du jeton n’est pas celui qui est épinglé.',
    ],
    wrong_decimals: ['The token does not have 18 decimals.', 'Le jeton n’a pas 18 décimales.'],
    chain_settings_changed: [
      'The chain settings changed since the invoice was issued. Restore the settings of the invoice, then check again.',
      'Les réglages de la chaîne ont changé depuis l’émission. Rétablissez ceux de la facture, puis vérifiez à nouveau.',
    ],
    invoice_not_open: [
      'The invoice is not open: it was paid or cancelled, or the payment came after it expired.',
      'La facture n’est pas ouverte : elle est payée ou annulée, ou le paiement est venu après son expiration.',
    ],
    transaction_failed: [
      'The transaction failed, so nothing was transferred.',
      'La transaction a échoué : rien n’a été transféré.',
    ],
    predates_invoice: ['The payment is older than the invoice.', 'Le paiement est antérieur à la facture.'],
    log_missing: ['The transaction has no such transfer.', 'La transaction n’a pas un tel virement.'],
    log_removed: ['A reorganisation of the chain removed the transfer.', 'Une réorganisation de la chaîne a retiré le virement.'],
    wrong_token: ['The transfer is in a different token.', 'Le virement porte sur un autre jeton.'],
    wrong_sender: ['The sender is not the payer.', 'L’expéditeur n’est pas le payeur.'],
    wrong_recipient: ['The transfer does not go to the recipient.', 'Le virement ne va pas au destinataire.'],
    wrong_amount: ['The amount differs.', 'Le montant diffère.'],
    transfer_already_used: ['The transfer has already paid another invoice.', 'Le virement a déjà payé une autre facture.'],
    block_not_canonical: ['The block of the payment is no longer on the chain.', 'Le bloc du paiement n’est plus sur la chaîne.'],
    node_inconsistent: ['The responses of the node contradict each other.', 'Les réponses du nœud se contredisent.'],
  } satisfies Record<SettlementReason, Phrase>,
});

export const receipt = texts({
  title: ['Receipt', 'Reçu'],
  transaction: same('Transaction'),
  log: (index: string) => [`log ${index}`, `indice ${index}`],
  block: ['Block', 'Bloc'],
  blockAt: (number: string, at: string) => same(`${number}, ${at}`),
  confirmations: same('Confirmations'),
  whenVerified: (n: string) => [`${n} when it was settled`, `${n} lors du règlement`],
  earmark: ['Earmark', 'Part réservée'],
  earmarkHint: ['Recorded only; nothing is sent.', 'Enregistrée seulement ; rien n’est envoyé.'],
  recorded: ['Recorded', 'Enregistré'],
  verify: ['Verify receipt', 'Vérifier le reçu'],
  verifyText: [
    'Compare the receipt with the chain again, using the configured node. To use another node, run the command.',
    'Comparer le reçu à la chaîne, avec le nœud configuré. Pour utiliser un autre nœud, lancez la commande.',
  ],
  valid: (n: string) => [
    `Valid: the chain has the payment, ${n} confirmations.`,
    `Valide : la chaîne a le paiement, ${n} confirmations.`,
  ],
  invalid: [
    'Not valid: the chain does not confirm this receipt. Do not rely on it.',
    'Non valide : la chaîne ne confirme pas ce reçu. Ne vous y fiez pas.',
  ],
  checks: byName({
    invoice: ['It matches the invoice', 'Il correspond à la facture'],
    result: ['It matches the result', 'Il correspond au résultat'],
    earmark: ['The earmark is computed correctly', 'La part réservée est exacte'],
    environment: ['It names the right kind of chain', 'Il nomme le bon genre de chaîne'],
    token: ['It names the token', 'Il nomme le jeton'],
    chain: ['The node serves the chain and the token of the receipt', 'Le nœud sert la chaîne et le jeton du reçu'],
    block: ['The block is on the chain', 'Le bloc est sur la chaîne'],
    confirmations: ['The confirmations are right', 'Les confirmations sont exactes'],
    transaction: ['The transaction is in the block', 'La transaction est dans le bloc'],
    transfer: ['The transfer is the payment of the invoice', 'Le virement est le paiement de la facture'],
  }),
  ok: same('ok'),
  failed: ['failed', 'échec'],
});
