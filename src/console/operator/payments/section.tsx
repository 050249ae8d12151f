/** The payment of a completed mission: its invoice, the check of a payment, and its receipt. */
import { useState } from 'preact/hooks';
import type { ReceiptRecord, ReceiptVerification } from '../../../codec/api-invoices.js';
import { receiptVerificationCodec, settleReportCodec } from '../../../codec/api-invoices.js';
import type { MissionRecord } from '../../../codec/api-missions.js';
import { settlementReason, type SettlementReason } from '../../../codec/chain.js';
import { asProblem, type Problem } from '../../kit/api/client.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, JsonDetails, Mono, ProblemBox } from '../../kit/controls/pieces.js';
import { Field } from '../../kit/forms/fields.js';
import { useKeptState } from '../../kit/forms/kept.js';
import { RequestForm } from '../../kit/forms/request-form.js';
import { numberOf } from '../../kit/forms/values.js';
import { hrefOf } from '../session/route.js';
import { useRights, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Invoice, InvoiceForm } from './invoice.js';
import { Amount, Chain, Tokens } from './pieces.js';
import { useWallet } from './wallet.js';

export function PaymentSection({ record, reload }: { readonly record: MissionRecord; readonly reload: () => void }) {
  const { t } = useWords();
  const { chain } = useSession().status;
  const { administer } = useRights();
  const { id, invoice, receipt } = record;
  const isOpen = invoice?.state === 'awaiting_payment' || invoice?.state === 'expired';
  const mayIssue = receipt === null && invoice?.state !== 'awaiting_payment' && administer;
  return (
    <section aria-labelledby="payment" data-screen-only={(invoice === null && receipt === null) || undefined}>
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

type NewInvoiceProps = { readonly mission: string; readonly isFirst: boolean; readonly reload: () => void };

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

/** The receipt of a payment, and comparing it with the chain again. */
function Receipt({ mission, receipt }: { readonly mission: string; readonly receipt: ReceiptRecord }) {
  const { t, f } = useWords();
  const { amount_units, chain_id, environment, transaction_hash, log_index, block_number, block_time } = receipt;
  const { confirmations, earmark_units, recorded_at } = receipt;
  return (
    <div class="card receipt">
      <h3>{t.receipt.title}</h3>
      <Facts
        facts={[
          [t.payments.amount, <Amount units={amount_units} />],
          [t.payments.chain, <Chain id={chain_id} environment={environment} />],
          [
            t.receipt.transaction,
            <>
              <Mono>{transaction_hash}</Mono> {t.receipt.log(f.number(log_index))}
            </>,
          ],
          [
            t.receipt.block,
            <time dateTime={block_time}>{t.receipt.blockAt(f.number(block_number), f.dateTime(block_time))}</time>,
          ],
          [t.receipt.confirmations, t.receipt.whenVerified(f.number(confirmations))],
          [
            t.receipt.earmark,
            <>
              <Tokens units={earmark_units} /> <span class="help">{t.receipt.earmarkHint}</span>
            </>,
          ],
          [t.receipt.recorded, <time dateTime={recorded_at}>{f.dateTime(recorded_at)}</time>],
        ]}
      />
      <JsonDetails title={`${t.mission.raw}: ${t.receipt.title}`} value={receipt} />
      <Verify mission={mission} />
    </div>
  );
}

function Verify({ mission }: { readonly mission: string }) {
  const { t } = useWords();
  const { api, busy, problem, run } = useTask();
  const [verified, setVerified] = useState<ReceiptVerification | null>(null);
  const path = `/api/missions/${mission}/verify-receipt`;
  const verify = (): void =>
    run(async () => {
      setVerified(null);
      setVerified(await api.get(path, receiptVerificationCodec));
    });
  return (
    <>
      <div class="actions">
        <Button disabled={busy} onClick={verify} text={t.receipt.verify} />
      </div>
      <p class="help">{t.receipt.verifyText}</p>
      <div role="status">{busy && <p class="muted">{t.settlement.checking}</p>}</div>
      {problem !== null && <ProblemBox title={t.failed.verifyReceipt} problem={problem} />}
      {verified !== null && <Verified verification={verified} />}
      <CommandLine
        inner
        lines={[agentCli('verify-receipt', mission), agentCli('verify-receipt', mission, '--rpc-url', 'https://rpc.example')]}
      />
    </>
  );
}

function Verified({ verification }: { readonly verification: ReceiptVerification }) {
  const { k, t, f } = useWords();
  const { valid, reason, detail, confirmations, checks } = verification;
  return (
    <div class={`notice outcome ${valid ? 'notice-good' : 'notice-bad'}`} role="alert">
      <p>
        <strong>{valid ? t.receipt.valid(f.number(confirmations ?? 0)) : t.receipt.invalid}</strong>
      </p>
      {reason !== null && (
        <p>
          {t.settlement.reasons[reason]} <code>{reason}</code>
        </p>
      )}
      {!valid && <p lang="en">{detail}</p>}
      <ul class="marked">
        {checks.map(({ name, ok }) => (
          <li key={name} class={ok ? '' : 'toned tone-bad'}>
            {(t.receipt.checks[name] ?? name) + k.colon + (ok ? t.receipt.ok : t.receipt.failed)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "Check payment": looks for the payment on the chain and says one of three outcomes in words: paid, not yet, or refused and why. */
type CheckProps = { readonly mission: string; readonly reload: () => void };

/** An outcome that recorded nothing. */
type OpenOutcome =
  | { readonly outcome: 'not_yet'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string; readonly reason: SettlementReason }
  | { readonly outcome: 'several'; readonly indices: readonly number[] };

/** Returns the outcome that a problem reports; null for any other failure. */
function outcomeOf({ document: { code, detail, facts } }: Problem): OpenOutcome | null {
  const { reason, log_indices: indices } = facts;
  if (code === 'not_yet') return { outcome: code, detail };
  if (code === 'settlement_refused' && settlementReason.is(reason)) return { outcome: 'refused', detail, reason };
  if (code === 'conflict' && Array.isArray(indices)) return { outcome: 'several', indices: indices.map(Number) };
  return null;
}

function useCheck({ mission, reload }: CheckProps) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const [unsettled, setUnsettled] = useState<OpenOutcome | null>(null);
  const check = (transaction: string, logIndex: string): void => {
    setUnsettled(null);
    run(async () => {
      try {
        const body = { text: JSON.stringify({ transaction: transaction.trim(), log_index: numberOf(logIndex) }) };
        await api.post(`/api/missions/${mission}/settle`, settleReportCodec, body);
        announce(`${t.settlement.paid}. ${t.settlement.paidText}`);
        reload();
      } catch (error) {
        const outcome = outcomeOf(asProblem(error));
        if (outcome === null) throw error;
        setUnsettled(outcome);
      }
    });
  };
  return { busy, problem, unsettled, check };
}

const commandOf = (mission: string, transaction: string, logIndex: string): string => {
  if (transaction === '') return agentCli('settle', '--help');
  return logIndex === ''
    ? agentCli('settle', mission, '--find', transaction)
    : agentCli('settle', mission, '--transaction', transaction, '--log-index', logIndex);
};

function CheckForm(props: CheckProps) {
  const { t } = useWords();
  const { mission } = props;
  const from = `settlement.${useSession().status.actor.name}.${mission}`;
  const { form, set, forget } = useKeptState(from, { transaction: '', logIndex: '' });
  const { transaction, logIndex } = form;
  const { busy, problem, unsettled, check } = useCheck({ mission, reload: () => (forget(), props.reload()) });
  const choose = (index: number): void => {
    set({ logIndex: String(index) });
    check(transaction, String(index));
  };
  const command = <CommandLine inner lines={[commandOf(mission, transaction.trim(), logIndex.trim())]} />;
  return (
    <RequestForm
      class="card check-payment"
      task={{ busy, problem }}
      failed={t.failed.settle}
      submit={() => check(transaction, logIndex)}
      text={t.settlement.check}
      below={command}
    >
      <h3>{t.settlement.check}</h3>
      <p>{t.settlement.text}</p>
      <Field
        path="transaction"
        label={t.settlement.transaction}
        hint={t.settlement.transactionHint}
        value={transaction}
        set={(text) => set({ transaction: text })}
        mono
      />
      <Field
        path="log_index"
        label={`${t.settlement.logIndex} (${t.wallet.optional})`}
        hint={t.settlement.logIndexHint}
        value={logIndex}
        set={(text) => set({ logIndex: text })}
        numeric
      />
      <div role="status">{busy && <p class="muted">{t.settlement.checking}</p>}</div>
      {unsettled !== null && <UnsettledNotice unsettled={unsettled} busy={busy} choose={choose} />}
    </RequestForm>
  );
}

interface OutcomeProps {
  readonly unsettled: OpenOutcome;
  readonly busy: boolean;
  readonly choose: (index: number) => void;
}

function UnsettledNotice({ unsettled, busy, choose }: OutcomeProps) {
  const { t, k, f } = useWords();
  if (unsettled.outcome === 'several')
    return (
      <div class="notice notice-warn" role="alert">
        <p>{t.settlement.several}</p>
        <div class="actions">
          {unsettled.indices.map((index) => (
            <Button
              class="small"
              key={index}
              disabled={busy}
              onClick={() => choose(index)}
              text={`${t.settlement.logIndex} ${f.number(index)}`}
            />
          ))}
        </div>
      </div>
    );
  const isRefused = unsettled.outcome === 'refused';
  const { refused, refusedText, reasons, notYet, notYetText } = t.settlement;
  return (
    <div class={`notice ${isRefused ? 'notice-bad' : 'notice-warn'} outcome`} role="alert">
      <p>
        <strong>{isRefused ? refused : notYet}.</strong> {isRefused ? `${reasons[unsettled.reason]} ${refusedText}` : notYetText}
      </p>
      <p lang="en">{unsettled.detail}</p>
      {isRefused && (
        <p class="fine">
          {t.settlement.reason + k.colon}
          <code>{unsettled.reason}</code>
        </p>
      )}
    </div>
  );
}
