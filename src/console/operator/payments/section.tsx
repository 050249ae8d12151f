/** The payment of a completed mission: its invoice, the check of a payment, and its receipt. */
import type { MissionRecord } from '../../../codec/api-missions.js';
import { hrefOf } from '../session/route.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { CheckForm } from './check.js';
import { InvoiceForm } from './invoice-form.js';
import { Invoice } from './invoice.js';
import { Receipt } from './receipt.js';
import { useWallet } from './wallet.js';

interface PaymentProps {
  readonly record: MissionRecord;
  readonly reload: () => void;
}

export function PaymentSection({ record, reload }: PaymentProps) {
  const { t } = useWords();
  const { chain } = useSession().status;
  const { administer } = useRights();
  const { id, invoice, receipt } = record;
  const isOpen = invoice?.state === 'awaiting_payment' || invoice?.state === 'expired';
  const mayIssue = receipt === null && invoice?.state !== 'awaiting_payment' && administer;
  return (
    <section aria-labelledby="payment">
      <h2 id="payment" tabIndex={-1}>
        {t.invoice.title}
      </h2>
      {invoice === null && <p class="muted">{t.invoice.none}</p>}
      {invoice !== null && <Invoice key={`${invoice.id} ${invoice.state}`} invoice={invoice} reload={reload} />}
      {isOpen && administer && <CheckForm key={invoice.id} mission={id} reload={reload} />}
      {receipt !== null && <Receipt mission={id} receipt={receipt} />}
      {mayIssue && chain === null && <p class="help">{t.payments.noChain}</p>}
      {mayIssue && chain !== null && <NewInvoice mission={id} isFirst={invoice === null} reload={reload} />}
    </section>
  );
}

interface NewInvoiceProps {
  readonly mission: string;
  readonly isFirst: boolean;
  readonly reload: () => void;
}

/** The form of an invoice; without a wallet, where to bind one. */
function NewInvoice({ mission, isFirst, reload }: NewInvoiceProps) {
  const { t } = useWords();
  const { data } = useWallet();
  if (data?.address === null)
    return (
      <p class="help">
        {t.invoice.noWallet} <a href={hrefOf({ page: 'payments', cursor: null })}>{t.invoice.toWallet}</a>
      </p>
    );
  return (
    <details>
      <summary>{isFirst ? t.invoice.form : t.invoice.replace}</summary>
      <InvoiceForm mission={mission} done={reload} />
    </details>
  );
}
