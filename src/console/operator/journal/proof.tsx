/** What proves the journal: the proof that an entry is in the log, checked here, and the newest signed checkpoint. */
import { checkpointCodec, inclusionCodec, type InclusionProof } from '../../../codec/api-journal.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton, saveBlob } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button } from '../../kit/controls/inputs.js';
import { Facts, LazyDetails, Mono, Verbatim } from '../../kit/controls/pieces.js';
import { Load } from '../../kit/controls/problem.js';
import { isIncluded } from '../../kit/hash.js';
import { useGet, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

export function ProofDialog({ sequence, onClose }: { readonly sequence: number; readonly onClose: () => void }) {
  const { t, f } = useWords();
  return (
    <Dialog title={t.journal.proofTitle(f.number(sequence))} onClose={onClose} wide>
      <Load from={useGet(`/api/journal/proof?sequence=${sequence}`, inclusionCodec)} failed={t.failed.proof}>
        {(proof) => <Content proof={proof} />}
      </Load>
      <CommandLine inner lines={[agentCli('proof', sequence, '--output', fileOf(sequence))]} />
    </Dialog>
  );
}

const fileOf = (sequence: number): string => `entry-${sequence}.tlog-proof`;

function Content({ proof }: { readonly proof: InclusionProof }) {
  const { t } = useWords();
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
      <Keepable label={t.mission.proof} text={proof.proof} file={fileOf(proof.sequence)} />
    </>
  );
}

/** The newest signed checkpoint, to be kept elsewhere. */
export function CheckpointPanel() {
  const { t } = useWords();
  return <LazyDetails title={t.journal.checkpoint}>{() => <Checkpoint />}</LazyDetails>;
}

function Checkpoint() {
  const { t, f } = useWords();
  const { events } = useSession().status.journal;
  return (
    <Load from={useGet('/api/journal/checkpoint', checkpointCodec, events)} failed={t.failed.checkpoint}>
      {({ origin, size, root, vkey, note }) => (
        <>
          <p>{t.journal.checkpointText}</p>
          <Facts
            wide
            facts={[
              [t.journal.origin, <Mono>{origin}</Mono>],
              [t.journal.size, f.number(size)],
              [t.journal.root, <Mono>{root}</Mono>],
              [t.journal.vkey, <Mono>{vkey}</Mono>],
            ]}
          />
          <Keepable label={t.journal.note} text={note} file={`checkpoint-${size}`} />
          <CommandLine
            inner
            lines={[
              agentCli('checkpoint', '--output', `checkpoint-${size}`),
              agentCli('verify', '--against', `checkpoint-${size}`),
            ]}
          />
        </>
      )}
    </Load>
  );
}

/** A document to be kept elsewhere. */
function Keepable({ label, text, file }: { readonly label: string; readonly text: string; readonly file: string }) {
  const { k } = useWords();
  return (
    <>
      <Verbatim label={label} text={text} />
      <div class="actions">
        <Button onClick={() => saveBlob(new Blob([text]), file)} text={k.download} />
        <CopyButton text={text} />
      </div>
    </>
  );
}
