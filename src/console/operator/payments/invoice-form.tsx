/** Issuing an invoice. Amounts are typed in tokens or in base units and read exactly, never as floating-point numbers. */
import { useState } from 'preact/hooks';
import { invoiceRecordCodec } from '../../../codec/api-invoices.js';
import { amountUnits, inTokens, unitsOfTokens } from '../../../codec/chain.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { Field, FaultsContext } from '../../kit/forms/field.js';
import { numberOf } from '../../kit/forms/values.js';
import { useAction } from '../../kit/load/use-load.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

interface Draft {
  readonly payer: string;
  readonly amount: string;
  readonly unit: string;
  readonly days: string;
}

const empty: Draft = { payer: '', amount: '', unit: 'tokens', days: '' };

/** Returns the request body. Texts are sent as typed: the agent has the last word. */
const bodyOf = ({ payer, amount, unit, days }: Draft): object => ({
  payer: payer.trim(),
  [unit === 'tokens' ? 'amount' : 'amount_units']: amount.trim(),
  expires_in_days: numberOf(days),
});

/** Returns the amount in base units; null for what is not an amount. */
function unitsOf({ amount, unit }: Draft): string | null {
  const units = unit === 'tokens' ? unitsOfTokens(amount.trim()) : amount.trim();
  return amountUnits.is(units) ? units : null;
}

function commandOf(mission: string, { payer, amount, unit, days }: Draft): string {
  if (payer.trim() === '' || amount.trim() === '') return agentCli('invoice', '--help');
  const flag = unit === 'tokens' ? '--amount' : '--amount-units';
  const expiry = days.trim() === '' ? [] : ['--expires-in', days.trim()];
  return agentCli('invoice', mission, '--payer', payer.trim(), flag, amount.trim(), ...expiry);
}

export function InvoiceForm({ mission, done }: { readonly mission: string; readonly done: () => void }) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const [draft, setDraft] = useState(empty);
  const submit = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const body = { text: JSON.stringify(bodyOf(draft)) };
      await api.post(`/api/missions/${mission}/invoice`, invoiceRecordCodec, body);
      announce(t.invoice.issued);
      done();
    });
  };
  return (
    <form class="card" onSubmit={submit} noValidate>
      <p>{t.invoice.formText}</p>
      <FaultsContext.Provider value={problem?.document.errors ?? []}>
        <Fields draft={draft} set={(part) => setDraft({ ...draft, ...part })} />
      </FaultsContext.Provider>
      {problem !== null && <ProblemBox title={t.failed.invoice} problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? t.settlement.checking : t.invoice.issue}
        </button>
      </div>
      <CommandLine inner lines={[commandOf(mission, draft)]} />
    </form>
  );
}

function Fields({ draft, set }: { readonly draft: Draft; readonly set: (part: Partial<Draft>) => void }) {
  const { t } = useWords();
  const { payer, amount, unit, days } = draft;
  const { tokens, units } = t.invoice.unitOptions;
  const understood = unitsOf(draft);
  const other =
    understood === null
      ? undefined
      : `= ${unit === 'tokens' ? t.payments.units(understood) : t.payments.tokens(inTokens(understood))}`;
  return (
    <>
      <Field
        path="payer"
        label={t.invoice.payer}
        hint={t.invoice.payerHint}
        value={payer}
        set={(text) => set({ payer: text })}
        mono
      />
      <div class="cells">
        <Field
          path={unit === 'tokens' ? 'amount' : 'amount_units'}
          label={t.payments.amount}
          hint={t.invoice.amountHint}
          value={amount}
          set={(text) => set({ amount: text })}
          read={other}
          numeric
        />
        <Field
          path="unit"
          label={t.invoice.unit}
          value={unit}
          set={(text) => set({ unit: text })}
          options={[
            ['tokens', tokens],
            ['units', units],
          ]}
        />
        <Field
          path="expires_in_days"
          label={`${t.invoice.days} (${t.wallet.optional})`}
          hint={t.invoice.daysHint}
          value={days}
          set={(text) => set({ days: text })}
          numeric
        />
      </div>
    </>
  );
}
