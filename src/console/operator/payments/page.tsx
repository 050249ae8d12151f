/** The wallet, and all invoices. */
import { invoiceListCodec, type InvoiceRecord } from '../../../codec/api-invoices.js';
import { withQuery } from '../../kit/address.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Loading, PageTitle } from '../../kit/controls/pieces.js';
import { useLoad, useSoon } from '../../kit/load.js';
import { useFeed, useSession } from '../session/session.js';
import { isOfPayments, Amount, InvoiceBadge } from './pieces.js';
import { WalletCard } from './wallet.js';
import { agentCli, flags } from '../../kit/controls/agent-cli.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { brief } from '../../kit/text/format.js';
import { hrefOf } from '../session/route.js';
import { useWords } from '../text/words.js';

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
  const { api } = useSession();
  const path = withQuery('/api/invoices', { cursor, limit: String(page_items) });
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, invoiceListCodec, signal));
  const soon = useSoon(reload, reload_delay_ms);
  useFeed({ entry: (entry) => isOfPayments(entry) && soon(), again: soon });
  return (
    <section aria-labelledby="invoices">
      <h2 id="invoices">{t.invoice.list}</h2>
      {problem !== null && <ProblemBox title={t.failed.invoices} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <InvoiceTable items={data.items} />}
      {data !== null && (cursor !== null || data.next_cursor !== null) && (
        <nav class="pager" aria-label={t.invoice.pager}>
          {cursor !== null && <a href={hrefOf({ page: 'payments', cursor: null })}>{t.invoice.newest}</a>}
          {data.next_cursor !== null && <a href={hrefOf({ page: 'payments', cursor: data.next_cursor })}>{t.invoice.older}</a>}
        </nav>
      )}
    </section>
  );
}

function InvoiceTable({ items }: { readonly items: readonly InvoiceRecord[] }) {
  const { t, f } = useWords();
  const { mission, state, amount, payer, created } = t.invoice.columns;
  if (items.length === 0) return <Empty title={t.invoice.empty} />;
  return (
    <table role="table" class="list list-invoices">
      <caption class="sr-only">{t.invoice.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[mission, state, amount, payer, created].map((column) => (
            <th scope="col" role="columnheader" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((one) => (
          <tr role="row" key={one.id}>
            <th scope="row" role="rowheader">
              <a href={hrefOf({ page: 'mission', id: one.mission })}>
                <code class="mono">{brief(one.mission, 8)}</code>
              </a>
            </th>
            <td role="cell" data-label={state}>
              <InvoiceBadge state={one.state} />
            </td>
            <td role="cell" data-label={amount}>
              <Amount units={one.amount_units} />
            </td>
            <td role="cell" data-label={payer}>
              <code class="mono" title={one.payer}>
                {brief(one.payer, 10)}
              </code>
            </td>
            <td role="cell" data-label={created}>
              <time dateTime={one.created_at}>{f.dateTime(one.created_at)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
