/** Pieces of everything about payments. */
import type { InvoiceRecord } from '../../../codec/api-invoices.js';
import type { FeedEntry } from '../../../codec/api-journal.js';
import { type Environment, inTokens } from '../../../codec/chain.js';
import { useWords } from '../text/words.js';

/** An amount in tokens, exactly. */
export function Tokens({ units }: { readonly units: string }) {
  const { t, f } = useWords();
  return <>{t.payments.tokens(f.decimal(inTokens(units)))}</>;
}

/** An amount in tokens, and below it in base units. */
export function Amount({ units }: { readonly units: string }) {
  const { t } = useWords();
  return (
    <>
      <strong>
        <Tokens units={units} />
      </strong>{' '}
      <span class="units">{t.payments.units(units)}</span>
    </>
  );
}

/** A chain by its number; one that is not mainnet is always said to be a test chain. */
export function Chain({ id, environment }: { readonly id: number; readonly environment: Environment }) {
  const { t } = useWords();
  return (
    <span class={environment === 'mainnet' ? '' : 'toned tone-warn'}>
      {t.payments.chainOf(String(id), t.payments.environments[environment])}
    </span>
  );
}

export function InvoiceBadge({ state }: { readonly state: InvoiceRecord['state'] }) {
  const { t } = useWords();
  return <span class={`badge invoice-${state}`}>{t.invoice.states[state]}</span>;
}

/** Which entries of the feed concern payments. Their streams are not the mission's. */
export const isOfPayments = ({ type }: FeedEntry): boolean => type.startsWith('invoice.') || type === 'receipt.recorded';
