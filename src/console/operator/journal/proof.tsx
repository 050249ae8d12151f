/** What proves the journal: the proof that an entry is in the log, checked here, and the newest signed checkpoint. */
import { inclusionCodec, type InclusionProof, checkpointCodec } from '../../../codec/api-journal.js';
import { CommandLine, CopyButton, saveBlob } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Facts, Loading, Mono, LazyDetails } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load.js';
import { isIncluded } from '../../kit/hash.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function ProofDialog({ sequence, onClose }: { readonly sequence: number; readonly onClose: () => void }) {
  const { t, f } = useWords();
  const { api } = useSession();
  const path = `/api/journal/proof?sequence=${sequence}`;
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, inclusionCodec, signal));
  return (
    <Dialog title={t.journal.proofTitle(f.number(sequence))} onClose={onClose} wide>
      {problem !== null && <ProblemBox title={t.failed.proof} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <Content proof={data} />}
      <CommandLine inner lines={[agentCli('proof', sequence, '--output', fileOf(sequence))]} />
    </Dialog>
  );
}

const fileOf = (sequence: number): string => `entry-${sequence}.tlog-proof`;

function Content({ proof }: { readonly proof: InclusionProof }) {
  const { k, t } = useWords();
  const included = isIncluded(proof);
  return (
    <>
      <p class={`notice ${included ? 'notice-good' : 'notice-bad'}`}>{included ? t.journal.included : t.journal.notIncluded}</p>
      <Facts
        wide
        facts={[
          [t.journal.hash, <Mono>{proof.hash}</Mono>],
          [t.journal.signature, <Mono>{proof.signature}</Mono>],
        ]}
      />
      <p>{t.journal.proofText}</p>
      <pre class="json" tabIndex={0} aria-label={t.mission.proof}>
        {proof.proof}
      </pre>
      <div class="actions">
        <button type="button" onClick={() => saveBlob(new Blob([proof.proof]), fileOf(proof.sequence))}>
          {k.download}
        </button>
        <CopyButton text={proof.proof} />
      </div>
    </>
  );
}

/** The newest signed checkpoint, to be kept elsewhere. */
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
