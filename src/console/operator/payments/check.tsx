/** "Check payment": looks for the payment on the chain and says one of three outcomes in words: paid, not yet, or refused and why. */
import { useState } from 'preact/hooks';
import { settleReportCodec } from '../../../codec/api-invoices.js';
import { settlementReason, type SettlementReason } from '../../../codec/chain.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { Field } from '../../kit/forms/fields.js';
import { RequestForm } from '../../kit/forms/request-form.js';
import { numberOf } from '../../kit/forms/values.js';
import { useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

interface CheckProps {
  readonly mission: string;
  readonly reload: () => void;
}

/** An outcome that recorded nothing. */
type Unsettled =
  | { readonly outcome: 'not_yet'; readonly detail: string }
  | { readonly outcome: 'refused'; readonly detail: string; readonly reason: SettlementReason }
  | { readonly outcome: 'several'; readonly indices: readonly number[] };

/** Returns the outcome that a problem reports; null for any other failure. */
function outcomeOf({ document: { code, detail, facts } }: Problem): Unsettled | null {
  const { reason, log_indices: indices } = facts;
  if (code === 'not_yet') return { outcome: code, detail };
  if (code === 'settlement_refused' && settlementReason.is(reason)) return { outcome: 'refused', detail, reason };
  if (code === 'conflict' && Array.isArray(indices)) return { outcome: 'several', indices: indices.map(Number) };
  return null;
}

function useCheck({ mission, reload }: CheckProps) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const [unsettled, setUnsettled] = useState<Unsettled | null>(null);
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

export function CheckForm(props: CheckProps) {
  const { t } = useWords();
  const { busy, problem, unsettled, check } = useCheck(props);
  const [transaction, setTransaction] = useState('');
  const [logIndex, setLogIndex] = useState('');
  const choose = (index: number): void => {
    setLogIndex(String(index));
    check(transaction, String(index));
  };
  const command = <CommandLine inner lines={[commandOf(props.mission, transaction.trim(), logIndex.trim())]} />;
  return (
    <RequestForm
      class="card check-payment"
      task={{ busy, problem }}
      failed={t.failed.settle}
      submit={() => check(transaction, logIndex)}
      text={t.settlement.check}
      below={command}
    >
      <h3>{t.settlement.title}</h3>
      <p>{t.settlement.text}</p>
      <Field
        path="transaction"
        label={t.settlement.transaction}
        hint={t.settlement.transactionHint}
        value={transaction}
        set={setTransaction}
        mono
      />
      <Field
        path="log_index"
        label={`${t.settlement.logIndex} (${t.wallet.optional})`}
        hint={t.settlement.logIndexHint}
        value={logIndex}
        set={setLogIndex}
        numeric
      />
      <div role="status">{busy && <p class="muted">{t.settlement.checking}</p>}</div>
      {unsettled !== null && <Outcome unsettled={unsettled} busy={busy} choose={choose} />}
    </RequestForm>
  );
}

interface OutcomeProps {
  readonly unsettled: Unsettled;
  readonly busy: boolean;
  readonly choose: (index: number) => void;
}

function Outcome({ unsettled, busy, choose }: OutcomeProps) {
  const { t, f } = useWords();
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
  if (unsettled.outcome === 'not_yet')
    return (
      <div class="notice notice-warn outcome" role="alert">
        <p>
          <strong>{t.settlement.notYet}.</strong> {t.settlement.notYetText}
        </p>
        <p lang="en">{unsettled.detail}</p>
      </div>
    );
  return (
    <div class="notice notice-bad outcome" role="alert">
      <p>
        <strong>{t.settlement.refused}.</strong> {t.settlement.reasons[unsettled.reason]} {t.settlement.refusedText}
      </p>
      <p lang="en">{unsettled.detail}</p>
      <p class="fine">
        {t.settlement.reason}: <code>{unsettled.reason}</code>
      </p>
    </div>
  );
}
