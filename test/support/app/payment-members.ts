/** The members that the `--json` documents of the commands for wallet and payments have at least. */
export const paymentMembers: Readonly<Record<string, readonly string[]>> = {
  'wallet-challenge': ['message', 'nonce', 'expires_at'],
  'wallet-bind': ['address'],
  balance: ['address', 'balance_units', 'block_number', 'block_hash', 'environment'],
  invoice: ['mission', 'payer', 'recipient', 'amount_units', 'uri', 'state'],
  'invoice-cancel': ['mission', 'payer', 'recipient', 'amount_units', 'uri', 'state'],
  invoices: ['items', 'next_cursor'],
  settle: ['outcome', 'reason', 'receipt'],
  'verify-receipt': ['valid', 'reason', 'confirmations', 'environment', 'checks'],
};
