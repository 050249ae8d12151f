/** How a run can be checked: its hash, its entry in the journal, and the command that computes it again. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import type { Results } from '../../../codec/api-simulation.js';
import { simulateCommand, verifyCommand } from '../pure/command.js';
import { draftOf, requestOf } from '../pure/draft.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { hashMatches } from './check-hash.js';

export function Proof({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const { id, outcome_hash, journal, request } = results;
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">{t.run.proof}</h2>
      <p>{t.run.proofText}</p>
      <Facts
        wide
        facts={[
          [t.run.hash, <Hash key="hash" text={outcome_hash} what={t.run.hash} />],
          [t.run.entry, t.run.entryText(f.number(journal.seq))],
          [t.run.entryHash, <Hash key="entry" text={journal.hash} what={t.run.entryHash} />],
        ]}
      />
      <Check results={results} />
      <CommandLine lines={[verifyCommand(id), simulateCommand(requestOf(draftOf(request)))]} />
    </section>
  );
}

const Hash = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <>
    <Mono>{text}</Mono> <CopyButton text={text} what={what} />
  </>
);

function Check({ results: { id, outcome_hash } }: { readonly results: Results }) {
  const { t } = useWords();
  const { api } = useSession();
  const [equal, setEqual] = useState<boolean | null>(null);
  const { busy, problem, run } = useAction();
  const left = useMemo(() => new AbortController(), []);
  useEffect(() => () => left.abort(), []);
  const check = (): void =>
    run(async () => {
      setEqual(null);
      const { blob } = await api.download(`/results/${id}?genome=1`);
      setEqual(await hashMatches(blob, outcome_hash, left.signal));
    });
  return (
    <>
      <button type="button" disabled={busy} onClick={check}>
        {busy ? t.run.checking : t.run.check}
      </button>
      <div role="status">
        {equal !== null && (
          <p class={`notice ${equal ? 'notice-good' : 'notice-bad'}`}>{equal ? `✓ ${t.run.checkGood}` : `✕ ${t.run.checkBad}`}</p>
        )}
      </div>
      {problem !== null && <ProblemBox title={t.failed.check} problem={problem} />}
    </>
  );
}
