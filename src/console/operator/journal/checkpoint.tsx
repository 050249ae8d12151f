/** The newest signed checkpoint, to be kept elsewhere. */
import { checkpointCodec } from '../../../codec/api-journal.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { saveBlob } from '../../kit/controls/download.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { Facts, Loading, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function CheckpointPanel() {
  const { t } = useWords();
  return <LazyDetails title={t.journal.checkpoint}>{() => <Checkpoint />}</LazyDetails>;
}

function Checkpoint() {
  const { k, t, f } = useWords();
  const { api, status } = useSession();
  const path = '/api/journal/checkpoint';
  const { data, problem, reload } = useLoad(`${path} ${status.journal.events}`, (signal) =>
    api.get(path, checkpointCodec, signal),
  );
  if (data === null)
    return problem === null ? <Loading /> : <ProblemBox title={t.failed.checkpoint} problem={problem} retry={reload} />;
  const file = `checkpoint-${data.size}`;
  return (
    <>
      <p>{t.journal.checkpointText}</p>
      <Facts
        wide
        facts={[
          [t.journal.origin, <Mono>{data.origin}</Mono>],
          [t.journal.size, f.number(data.size)],
          [t.journal.root, <Mono>{data.root}</Mono>],
          [t.journal.vkey, <Mono>{data.vkey}</Mono>],
        ]}
      />
      <pre class="json" tabIndex={0} aria-label={t.journal.note}>
        {data.note}
      </pre>
      <div class="actions">
        <button type="button" onClick={() => saveBlob(new Blob([data.note]), file)}>
          {k.download}
        </button>
        <CopyButton text={data.note} />
      </div>
      <CommandLine inner lines={[agentCli('checkpoint', '--output', file), agentCli('verify', '--against', file)]} />
    </>
  );
}
