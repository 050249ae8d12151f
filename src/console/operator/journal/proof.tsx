/** The proof that an entry is in the log, checked here and to be taken away. */
import { inclusionCodec, type InclusionProof } from '../../../codec/api-journal.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { saveBlob } from '../../kit/controls/download.js';
import { Facts, Loading, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { isIncluded } from '../../kit/hash/inclusion.js';
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
