/** The doctor's findings, and how to fix what is wrong. */
import { useState } from 'preact/hooks';
import { doctorCodec, type DoctorReport } from '../../../codec/api-status.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Facts, Loading, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load.js';
import { agentCli, useHomed } from '../../kit/controls/agent-cli.js';
import { useSession } from '../session/session.js';
import { kinds } from '../../../codec/kinds.js';
import { useKindWords } from '../kinds/table.js';
import { useWords } from '../text/words.js';
import { agentsCodec } from '../../../codec/api-simulation.js';
import { alertsCodec, type Alerts } from '../../../codec/api-alerts.js';
import { AgentsTable, WorkersSection } from '../../kit/agents/agents.js';
import { DataTable } from '../../kit/charts/table.js';

type Check = DoctorReport['checks'][number];
type Grade = Check['status'];

const marks: Readonly<Record<Grade, string>> = { ok: '✓', warn: '!', fail: '✗' };

export function DoctorPage() {
  const { t, f } = useWords();
  const { api } = useSession();
  const [checkedAt, setCheckedAt] = useState('');
  const [round, setRound] = useState(0);
  const again = (): void => {
    setRound((n) => n + 1);
    reload();
  };
  const { data, problem, loading, reload } = useLoad('/api/doctor', async (signal) => {
    const answer = await api.get('/api/doctor', doctorCodec, signal);
    setCheckedAt(new Date().toISOString());
    return answer;
  });
  return (
    <>
      <div class="title-row">
        <PageTitle title={t.doctor.title} />
        <button type="button" onClick={again} disabled={loading}>
          {t.doctor.again}
        </button>
      </div>
      <p class="lead">{t.doctor.lead}</p>
      {problem !== null && <ProblemBox title={t.failed.checks} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <DoctorFindings doctor={data} />}
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
  const count = (grade: Check['status']): number => checks.filter(({ status }) => status === grade).length;
  const worst = (['fail', 'warn', 'ok'] as const).find((grade) => count(grade) > 0) ?? 'ok';
  return (
    <>
      <p class={`notice grade-${worst}`}>
        <strong>{worst === 'ok' ? t.doctor.summary.ok : t.doctor.summary[worst](count(worst))}</strong>
      </p>
      <h2>{t.doctor.checks}</h2>
      <ul class="checks">
        {checks.map((check) => (
          <CheckItem key={check.name} check={check} />
        ))}
      </ul>
      <h2>{t.doctor.capabilities}</h2>
      <ul class="checks">
        {capabilities.map(({ kind, available, detail }) => (
          <li key={kind} class={available ? 'grade-ok' : 'grade-off'}>
            <span class="check-mark" aria-hidden="true">
              {available ? '✓' : '–'}
            </span>
            <div>
              <p>
                <strong>{nameOf(kind)}</strong> {available ? t.doctor.available : t.doctor.unavailable}
              </p>
              <p class="muted" lang="en">
                {detail}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Facts
        wide
        facts={[
          [t.doctor.version, version],
          [t.journal.identity, <Mono>{identity}</Mono>],
        ]}
      />
    </>
  );
}

function CheckItem({ check: { name, status, detail, fix } }: { readonly check: Check }) {
  const { k, t } = useWords();
  const homed = useHomed();
  return (
    <li class={`grade-${status}`}>
      <span class="check-mark" aria-hidden="true">
        {marks[status]}
      </span>
      <div>
        <p>
          <strong>{t.doctor.names[name] ?? name}</strong>{' '}
          <span class={status === 'ok' ? 'sr-only' : 'grade-text'}>{t.doctor.status[status]}</span>
        </p>
        <p class="muted" lang="en">
          {detail}
        </p>
        {fix !== null && (
          <p class="fix">
            {t.doctor.fix}: <code>{homed(fix)}</code>{' '}
            {fix.startsWith('agent-cli') && <CopyButton text={homed(fix)} label={k.copyCommand} />}
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
  const { data, problem, reload } = useLoad(`agents ${round}`, async (signal) => ({
    ...(await api.get('/api/agents', agentsCodec, signal)),
    alerts: await api.get('/api/alerts', alertsCodec, signal),
    at: Date.now(),
  }));
  return (
    <>
      {problem !== null && <ProblemBox title={t.failed.agents} problem={problem} retry={reload} />}
      {data === null ? (
        problem === null && <Loading />
      ) : (
        <>
          <section class="alerts">
            <h2>{t.doctor.alerts.title}</h2>
            <AlertList alerts={data.alerts} />
          </section>
          <section class="agents">
            <h2>{k.agents.title}</h2>
            <p class="help">{k.agents.lead}</p>
            <AgentsTable agents={data.agents} at={data.at} />
          </section>
          <WorkersSection workers={data.workers} at={data.at} />
        </>
      )}
    </>
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
