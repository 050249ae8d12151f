/** The doctor's findings, and how to fix what is wrong. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Alerts, alertsCodec } from '../../../codec/api-alerts.js';
import { agentsCodec } from '../../../codec/api-simulation.js';
import { doctorCodec, type DoctorReport } from '../../../codec/api-status.js';
import { kinds } from '../../../codec/kinds.js';
import { AgentsTable, WorkersSection } from '../../kit/agents/agents.js';
import { serverNow } from '../../kit/api/clock.js';
import { agentCli, useHomed } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, Load, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useLoad } from '../../kit/load.js';
import { useKindWords } from '../kinds/table.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

type Grade = DoctorReport['checks'][number]['status'];

/** The tones of the summary. */
const tones = { ok: 'good', warn: 'warn', fail: 'bad' } as const;
const marks: Readonly<Record<Grade | 'off', string>> = { ok: '✓', warn: '!', fail: '✗', off: '–' };

export function DoctorPage() {
  const { t, f } = useWords();
  const { api } = useSession();
  const [checkedAt, setCheckedAt] = useState('');
  const [round, setRound] = useState(0);
  const again = (): void => {
    setRound((n) => n + 1);
    doctor.reload();
  };
  const doctor = useLoad('/api/doctor', async (signal) => {
    const answer = await api.get('/api/doctor', doctorCodec, signal);
    setCheckedAt(new Date(serverNow()).toISOString());
    return answer;
  });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.doctor.title} />
        <Button onClick={again} disabled={doctor.loading} text={t.doctor.again} />
      </div>
      <p class="lead">{t.doctor.lead}</p>
      <Load from={doctor} failed={t.failed.checks}>
        {(found) => <DoctorFindings doctor={found} />}
      </Load>
      <Supervision round={round} />
      {checkedAt !== '' && (
        <p class="muted" role="status">
          {t.doctor.checkedAt(f.time(checkedAt))}
        </p>
      )}
      <CommandLine lines={[agentCli('doctor')]} />
    </>
  );
}

export function DoctorFindings({ doctor: { checks, capabilities, version, identity } }: { readonly doctor: DoctorReport }) {
  const { t } = useWords();
  const wordsOf = useKindWords();
  const nameOf = (name: string): string => {
    const kind = kinds.find((each) => each === name);
    return kind === undefined ? name : wordsOf(kind).name;
  };
  const count = (grade: Grade): number => checks.filter(({ status }) => status === grade).length;
  const worst = (['fail', 'warn', 'ok'] as const).find((grade) => count(grade) > 0) ?? 'ok';
  return (
    <>
      <p class={`notice notice-${tones[worst]}`}>
        <strong>{worst === 'ok' ? t.doctor.summary.ok : t.doctor.summary[worst](count(worst))}</strong>
      </p>
      <h2>{t.doctor.checks}</h2>
      <ul class="checks">
        {checks.map(({ name, status, detail, fix }) => (
          <Item key={name} grade={status} detail={detail} fix={fix}>
            <strong>{t.doctor.names[name] ?? name}</strong>{' '}
            <span class={status === 'ok' ? 'sr-only' : 'toned'}>{t.doctor.status[status]}</span>
          </Item>
        ))}
      </ul>
      <h2>{t.doctor.capabilities}</h2>
      <ul class="checks">
        {capabilities.map(({ kind, available, detail }) => (
          <Item key={kind} grade={available ? 'ok' : 'off'} detail={detail}>
            <strong>{nameOf(kind)}</strong> {available ? t.doctor.available : t.doctor.unavailable}
          </Item>
        ))}
      </ul>
      <Facts
        facts={[
          [t.doctor.version, version],
          [t.journal.identity, <Mono>{identity}</Mono>],
        ]}
      />
    </>
  );
}

interface ItemProps {
  readonly grade: Grade | 'off';
  readonly detail: string;
  readonly fix?: string | null;
  readonly children: ComponentChildren;
}

function Item({ grade, detail, fix = null, children }: ItemProps) {
  const { k, t } = useWords();
  const homed = useHomed();
  return (
    <li class={`grade-${grade}`}>
      <span class="check-mark" aria-hidden="true">
        {marks[grade]}
      </span>
      <div>
        <p>{children}</p>
        <p class="muted" lang="en">
          {detail}
        </p>
        {fix !== null && (
          <p class="fix">
            {t.doctor.fix + k.colon}
            <code>{homed(fix)}</code> {fix.startsWith('agent-cli') && <CopyButton text={homed(fix)} label={k.copyCommand} />}
          </p>
        )}
      </div>
    </li>
  );
}

/** @param round another number loads everything again */
function Supervision({ round }: { readonly round: number }) {
  const { k, t } = useWords();
  const { api } = useSession();
  const loaded = useLoad(`agents ${round}`, async (signal) => ({
    ...(await api.get('/api/agents', agentsCodec, signal)),
    alerts: await api.get('/api/alerts', alertsCodec, signal),
    at: serverNow(),
  }));
  return (
    <Load from={loaded} failed={t.failed.agents}>
      {({ alerts, agents, workers, at }) => (
        <>
          <section class="alerts">
            <h2>{t.doctor.alerts.title}</h2>
            <AlertList alerts={alerts} />
          </section>
          <section class="agents">
            <h2>{k.agents.title}</h2>
            <p class="help">{k.agents.lead}</p>
            <AgentsTable agents={agents} at={at} />
          </section>
          <WorkersSection workers={workers} at={at} />
        </>
      )}
    </Load>
  );
}

function AlertList({ alerts: { webhook, items } }: { readonly alerts: Alerts }) {
  const { t, f } = useWords();
  const { title, lead, noWebhook, none, time, alert, count, delivery } = t.doctor.alerts;
  return (
    <>
      <p class="help">{webhook ? lead : noWebhook}</p>
      {items.length === 0 ? (
        <p>{none}</p>
      ) : (
        <DataTable
          isPlain
          label={title}
          head={[time, alert, count, delivery]}
          texts={[0, 1, 3]}
          rows={items.map((item) => [
            <time dateTime={item.time}>{f.dateTime(item.time)}</time>,
            <span lang="en">{item.text}</span>,
            f.number(item.count),
            t.doctor.alerts.deliveries[item.delivery],
          ])}
        />
      )}
    </>
  );
}
