/** The agents and the newest alerts of the daemon. */
import { agentsCodec } from '../../../codec/api-simulation.js';
import { alertsCodec, type Alerts } from '../../../codec/api-alerts.js';
import { AgentsTable } from '../../kit/agents/table.js';
import { WorkersSection } from '../../kit/agents/workers.js';
import { DataTable } from '../../kit/charts/table.js';
import { Loading } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

/** @param round another number loads everything again */
export function Supervision({ round }: { readonly round: number }) {
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
