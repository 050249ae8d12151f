/** The journal: its state, its newest signed checkpoint, and its entries with proofs. */
import { useState } from 'preact/hooks';
import { journalPageCodec, type JournalPage as Page } from '../../../codec/api-journal.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { Empty, Facts, Loading, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { brief } from '../../kit/text/format.js';
import { hrefOf } from '../session/route.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { CheckpointPanel } from './checkpoint.js';
import { ProofDialog } from './proof.js';
import { withQuery } from '../../kit/address/with-query.js';

const page_items = 25;
const uuid = /^[0-9a-f]{8}-/;

export function JournalPage({ before }: { readonly before: number | null }) {
  const { t, f } = useWords();
  const { api } = useSession();
  const path = withQuery('/api/journal', { before, limit: page_items });
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, journalPageCodec, signal));
  const [newer, setNewer] = useState(0);
  useFeed({ entry: () => setNewer((n) => n + 1) });
  const refresh = (): void => {
    setNewer(0);
    reload();
  };
  return (
    <>
      <PageTitle title={t.journal.title} />
      <p class="lead">{t.journal.lead}</p>
      <State />
      <CheckpointPanel />
      {before === null && newer > 0 && (
        <button type="button" class="newer" onClick={refresh}>
          ↑ {t.journal.more(f.number(newer))}
        </button>
      )}
      {problem !== null && <ProblemBox title={t.failed.journal} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <Entries page={data} before={before} />}
      <CommandLine lines={[agentCli('verify'), agentCli('verify', '--deep')]} />
    </>
  );
}

function State() {
  const { t, f } = useWords();
  const { journal, identity } = useSession().status;
  const verified =
    journal.valid === null
      ? t.journal.notYet
      : !journal.valid
        ? t.journal.invalid
        : journal.verified_at === null
          ? t.journal.validNow
          : t.journal.valid(f.dateTime(journal.verified_at));
  return (
    <section aria-label={t.journal.facts}>
      <Facts
        wide
        facts={[
          [t.journal.events, f.number(journal.events)],
          [t.journal.head, <Mono>{journal.head}</Mono>],
          [t.journal.root, <Mono>{journal.root}</Mono>],
          [t.journal.identity, <Mono>{identity}</Mono>],
          [t.journal.verified, verified],
        ]}
      />
    </section>
  );
}

function Entries({ page: { items, next_before }, before }: { readonly page: Page; readonly before: number | null }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<number | null>(null);
  const { sequence, time, stream, type, hash, proof } = t.journal.columns;
  if (items.length === 0) return <Empty title={t.journal.empty} />;
  return (
    <>
      <table role="table" class="list list-journal">
        <caption class="sr-only">{t.journal.caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {[sequence, type, stream, time, hash, proof].map((name) => (
              <th scope="col" role="columnheader" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((entry) => (
            <Row key={entry.sequence} entry={entry} ask={setAsked} />
          ))}
        </tbody>
      </table>
      <nav class="pager" aria-label={t.journal.pager}>
        {before !== null && (
          <a class="button" href={hrefOf({ page: 'journal', before: null })}>
            ← {t.journal.newest}
          </a>
        )}
        {next_before !== null && (
          <a class="button" href={hrefOf({ page: 'journal', before: next_before })}>
            {t.journal.older} →
          </a>
        )}
      </nav>
      {asked !== null && <ProofDialog sequence={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface RowProps {
  readonly entry: Page['items'][number];
  readonly ask: (sequence: number) => void;
}

function Row({ entry, ask }: RowProps) {
  const { t, f } = useWords();
  const { time, stream, type, hash, proof } = t.journal.columns;
  return (
    <tr role="row">
      <th scope="row" role="rowheader" class="sequence">
        {entry.sequence}
      </th>
      <td role="cell" data-label={type}>
        <code>{entry.type}</code>
      </td>
      <td role="cell" data-label={stream}>
        {uuid.test(entry.stream) ? (
          <a href={hrefOf({ page: 'mission', id: entry.stream })}>
            <code>{entry.stream.slice(0, 8)}</code>
          </a>
        ) : (
          <code>{entry.stream}</code>
        )}
      </td>
      <td role="cell" data-label={time}>
        <time dateTime={entry.time}>{f.dateTime(entry.time)}</time>
      </td>
      <td role="cell" data-label={hash}>
        <code title={entry.hash}>{brief(entry.hash)}</code>
      </td>
      <td role="cell">
        <button
          type="button"
          class="small"
          aria-label={t.journal.prove(String(entry.sequence))}
          onClick={() => ask(entry.sequence)}
        >
          {proof}
        </button>
      </td>
    </tr>
  );
}
