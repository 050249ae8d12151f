/** What an agent without a readable status still offers: the doctor's findings, and the pause. */
import { useState } from 'preact/hooks';
import * as t from 'io-ts';
import type { Api } from '../../kit/api/client.js';
import type { Problem } from '../../kit/api/problem.js';
import { doctorShape, type Doctor } from '../api/shapes.js';
import { DoctorReport } from '../journal/doctor.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useWords } from '../text/words.js';

/** @param why the problem that the agent reported instead of its status */
export function Limited({ api, why }: { readonly api: Api; readonly why: Problem }) {
  const { t: text } = useWords();
  const announce = useAnnounce();
  const [doctor, setDoctor] = useState<Doctor | null>(null);
  const { busy, problem, run } = useAction();
  const [tried, setTried] = useState<'checks' | 'pause'>('checks');
  const examine = (): void => {
    setTried('checks');
    run(async () => setDoctor(await api.get('/api/doctor', doctorShape)));
  };
  const pause = (): void => {
    setTried('pause');
    run(async () => {
      await api.post('/api/control', t.type({ state: t.string }), { text: JSON.stringify({ state: 'paused' }) });
      announce(text.shell.pausedNow);
    });
  };
  return (
    <section class="limited" aria-label={text.shell.limited}>
      <ProblemBox title={text.failed.status} problem={why} />
      <p>{text.shell.limited}</p>
      <div class="actions">
        <button type="button" disabled={busy} onClick={examine}>
          {text.shell.seeDoctor}
        </button>
        <button type="button" disabled={busy} onClick={pause}>
          {text.shell.control.pause}
        </button>
      </div>
      {problem !== null && <ProblemBox title={text.failed[tried]} problem={problem} />}
      {doctor !== null && <DoctorReport doctor={doctor} />}
      <CommandLine lines={[agentCli('doctor'), agentCli('pause')]} />
    </section>
  );
}
