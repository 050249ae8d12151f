/** What an agent without a readable status still offers: the doctor's findings, and the pause. */
import { useState } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import type { Problem } from '../../kit/api/problem.js';
import { controlDocument, doctorCodec, type DoctorReport } from '../../../codec/api-status.js';
import { DoctorFindings } from '../journal/doctor.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useWords } from '../text/words.js';

/** @param why the problem that the agent reported instead of its status */
export function Limited({ api, why }: { readonly api: Api; readonly why: Problem }) {
  const { t } = useWords();
  const announce = useAnnounce();
  const [doctor, setDoctor] = useState<DoctorReport | null>(null);
  const { busy, problem, run } = useAction();
  const [tried, setTried] = useState<'checks' | 'pause'>('checks');
  const examine = (): void => {
    setTried('checks');
    run(async () => setDoctor(await api.get('/api/doctor', doctorCodec)));
  };
  const pause = (): void => {
    setTried('pause');
    run(async () => {
      await api.post('/api/control', controlDocument, { text: JSON.stringify({ state: 'paused' }) });
      announce(t.shell.pausedNow);
    });
  };
  return (
    <section class="limited" aria-label={t.shell.limited}>
      <ProblemBox title={t.failed.status} problem={why} />
      <p>{t.shell.limited}</p>
      <div class="actions">
        <button type="button" disabled={busy} onClick={examine}>
          {t.shell.seeDoctor}
        </button>
        <button type="button" disabled={busy} onClick={pause}>
          {t.shell.control.pause}
        </button>
      </div>
      {problem !== null && <ProblemBox title={t.failed[tried]} problem={problem} />}
      {doctor !== null && <DoctorFindings doctor={doctor} />}
      <CommandLine lines={[agentCli('doctor'), agentCli('pause')]} />
    </section>
  );
}
