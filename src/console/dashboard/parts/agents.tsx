/** The state of the seven agents and of the workers of queues: loaded on demand, when a run ends, and at intervals while the page is visible. */
import { useEffect } from 'preact/hooks';
import { AgentsTable } from '../../kit/agents/table.js';
import { WorkersSection } from '../../kit/agents/workers.js';
import { Loading } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { agentsCodec } from '../../../codec/api-simulation.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { useSpaced } from './use-spaced.js';

const every_ms = 15_000;

export function AgentsPanel() {
  const { k, t, f } = useWords();
  const { api } = useSession();
  const { data, problem, loading, reload } = useLoad('/status', async (signal) => {
    return { ...(await api.get('/status', agentsCodec, signal)), at: Date.now() };
  });
  const soon = useSpaced(reload);
  useFeed({ ended: soon, again: soon });
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && soon(), every_ms);
    return () => clearInterval(timer);
  }, [soon]);
  return (
    <>
      <section class="agents">
        <div class="title-row">
          <h2>{k.agents.title}</h2>
          <p class="agents-asked">
            {data !== null && <span class="muted">{t.agents.asked(f.time(new Date(data.at).toISOString()))}</span>}{' '}
            <button type="button" class="small" onClick={reload} disabled={loading}>
              {t.agents.refresh}
            </button>
          </p>
        </div>
        <p class="help">{k.agents.lead}</p>
        {problem !== null && <ProblemBox title={t.failed.agents} problem={problem} retry={reload} />}
        {data === null ? loading && <Loading /> : <AgentsTable agents={data.agents} at={data.at} />}
      </section>
      {data !== null && <WorkersSection workers={data.workers} at={data.at} />}
    </>
  );
}
