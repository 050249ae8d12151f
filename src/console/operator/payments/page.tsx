/** The wallet, and all invoices. */
import { invoiceListCodec, type InvoiceRecord } from '../../../codec/api-invoices.js';
import { withQuery } from '../../kit/address.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Load, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { ListTable, Pager } from '../../kit/controls/tables.js';
import { useSoon } from '../../kit/load.js';
import { brief } from '../../kit/text/format.js';
import { hrefOf } from '../session/route.js';
import { useFeed, useGet } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Amount, InvoiceBadge, isOfPayments } from './pieces.js';
import { WalletCard } from './wallet.js';

const page_items = 25;
const reload_delay_ms = 150;

export function PaymentsPage({ cursor }: { readonly cursor: string | null }) {
  const { t } = useWords();
  return (
    <>
      <PageTitle title={t.payments.title} />
      <p class="lead">{t.payments.lead}</p>
      <WalletCard />
      <Invoices cursor={cursor} />
      <CommandLine lines={[agentCli('invoices', ...flags({ cursor, limit: page_items }))]} />
    </>
  );
}

function Invoices({ cursor }: { readonly cursor: string | null }) {
  const { t } = useWords();
  const list = useGet(withQuery('/api/invoices', { cursor, limit: page_items }), invoiceListCodec);
  const soon = useSoon(list.reload, reload_delay_ms);
  useFeed({ entry: (entry) => isOfPayments(entry) && soon(), again: soon });
  return (
    <section aria-labelledby="invoices">
      <h2 id="invoices">{t.invoice.list}</h2>
      <Load from={list} failed={t.failed.invoices}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? <Empty title={t.invoice.empty} /> : <InvoiceTable items={items} />}
            <Pager
              label={t.invoice.pager}
              first={cursor === null ? null : [hrefOf({ page: 'payments', cursor: null }), t.invoice.newest]}
              next={next === null ? null : [hrefOf({ page: 'payments', cursor: next }), t.invoice.older]}
            />
          </>
        )}
      </Load>
    </section>
  );
}

function InvoiceTable({ items }: { readonly items: readonly InvoiceRecord[] }) {
  const { t, f } = useWords();
  const { state, payer, issuedAt } = t.invoice;
  const cellsOf = (invoice: InvoiceRecord) => [
    <a href={hrefOf({ page: 'mission', id: invoice.mission })}>
      <Mono>{brief(invoice.mission, 8)}</Mono>
    </a>,
    <InvoiceBadge state={invoice.state} />,
    <Amount units={invoice.amount_units} />,
    <code class="mono" title={invoice.payer}>
      {brief(invoice.payer, 10)}
    </code>,
    <time dateTime={invoice.created_at}>{f.dateTime(invoice.created_at)}</time>,
  ];
  return (
    <ListTable
      name="invoices"
      caption={t.invoice.caption}
      columns={[t.mission.id, state, t.payments.amount, payer, issuedAt]}
      rows={items.map((invoice) => ({ key: invoice.id, cells: cellsOf(invoice) }))}
    />
  );
}
