/** An invoice: its terms, and while it is open the request for the payer as a QR code and as text. */
import { invoiceRecordCodec, type InvoiceRecord } from '../../../codec/api-invoices.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Amount, Chain, InvoiceBadge } from './pieces.js';
import { Qr } from './qr.js';

interface InvoiceProps {
  readonly invoice: InvoiceRecord;
  readonly reload: () => void;
}

export function Invoice({ invoice, reload }: InvoiceProps) {
  const { t, f } = useWords();
  const { administer } = useRights();
  const { id, state, payer, recipient, amount_units, chain_id, environment, expires_at, created_at } = invoice;
  const when = (at: string) => <time dateTime={at}>{f.dateTime(at)}</time>;
  return (
    <div class="card invoice">
      <Facts
        wide
        facts={[
          [
            t.invoice.state,
            <span role="status">
              <InvoiceBadge state={state} />
            </span>,
          ],
          [t.payments.amount, <Amount units={amount_units} />],
          [t.invoice.payer, <Mono>{payer}</Mono>],
          [t.invoice.recipient, <Mono>{recipient}</Mono>],
          [t.payments.chain, <Chain id={chain_id} environment={environment} />],
          [t.invoice.issuedAt, when(created_at)],
          expires_at === null ? null : [t.invoice.payBy, when(expires_at)],
          [t.invoice.id, <Mono>{id}</Mono>],
        ]}
      />
      {state === 'expired' && <p class="notice notice-warn">{t.invoice.expiredText}</p>}
      {state === 'awaiting_payment' && <Request invoice={invoice} />}
      {(state === 'awaiting_payment' || state === 'expired') && administer && <Cancel id={id} reload={reload} />}
    </div>
  );
}

function Request({ invoice: { uri, amount, recipient } }: Pick<InvoiceProps, 'invoice'>) {
  const { t } = useWords();
  return (
    <div class="payment-request">
      <figure>
        <Qr text={uri} label={t.invoice.qr(amount, recipient)} />
        <figcaption>{t.invoice.scan}</figcaption>
      </figure>
      <div class="request-text">
        <p class="label">{t.invoice.request}</p>
        <pre class="json json-wrap" tabIndex={0} role="group" aria-label={t.invoice.request}>
          {uri}
        </pre>
        <CopyButton text={uri} label={t.invoice.copyRequest} />
      </div>
    </div>
  );
}

function Cancel({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const cancel = (): void =>
    run(async () => {
      await api.post(`/api/invoices/${id}/cancel`, invoiceRecordCodec);
      announce(t.invoice.cancelled);
      reload();
    });
  return (
    <>
      {problem !== null && <ProblemBox title={t.failed.invoiceCancel} problem={problem} />}
      <div class="actions">
        <button type="button" disabled={busy} onClick={cancel}>
          {t.invoice.cancel}
        </button>
      </div>
      <p class="help">{t.invoice.cancelHint}</p>
      <CommandLine inner lines={[agentCli('invoice-cancel', id)]} />
    </>
  );
}
