/** The journal: its state, its newest signed checkpoint, and who did what, as its entries with their proofs say. */
import { useState } from 'preact/hooks';
import { journalPageCodec } from '../../../codec/api-journal.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { Facts, Loading, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import type { JournalFilters } from '../session/route.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useFeed, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { CheckpointPanel } from './checkpoint.js';
import { Entries } from './entries.js';
import { JournalFilterBar } from './filters.js';
import { dayBegins } from '../../kit/address/days.js';
import { withQuery } from '../../kit/address/with-query.js';

const page_items = 25;

interface PageProps {
  readonly before: number | null;
  readonly filters: JournalFilters;
}

/** Returns the address of a page. Days of the filters are the reader's, moments of the query are in UTC; `until` is a whole day. */
const pathOf = ({ before, filters: { since, until, ...rest } }: PageProps): string =>
  withQuery('/api/journal', { ...rest, since: dayBegins(since), until: dayBegins(until, 1), before, limit: page_items });

export function JournalPage({ before, filters }: PageProps) {
  const { t, f } = useWords();
  const { api } = useSession();
  const path = pathOf({ before, filters });
  const isWhole = withQuery('', { ...filters }) === '';
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
      <JournalFilterBar filters={filters} />
      {before === null && isWhole && newer > 0 && (
        <button type="button" class="newer" onClick={refresh}>
          ↑ {t.journal.more(f.number(newer))}
        </button>
      )}
      {problem !== null && <ProblemBox title={t.failed.journal} problem={problem} retry={reload} />}
      {data === null ? problem === null && <Loading /> : <Entries page={data} before={before} filters={filters} />}
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
    <>
      <Facts
        facts={[
          [t.journal.events, f.number(journal.events)],
          [t.journal.verified, verified],
        ]}
      />
      <LazyDetails title={t.journal.facts}>
        {() => (
          <Facts
            wide
            facts={[
              [t.journal.head, <Mono>{journal.head}</Mono>],
              [t.journal.root, <Mono>{journal.root}</Mono>],
              [t.journal.identity, <Mono>{identity}</Mono>],
            ]}
          />
        )}
      </LazyDetails>
    </>
  );
}
