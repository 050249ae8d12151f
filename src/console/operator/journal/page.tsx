/** The journal: its state, its newest signed checkpoint, and who did what, as its entries with their proofs say. */
import { useState, useId } from 'preact/hooks';
import {
  journalPageCodec,
  entryDetailCodec,
  type JournalEntry,
  type JournalPage as EntryPage,
} from '../../../codec/api-journal.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { LazyDetails, Facts, Loading, Mono, PageTitle, Empty } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load.js';
import { type JournalFilters, noJournalFilters, hrefOf } from '../session/route.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useFeed, useSession, replaceRoute } from '../session/session.js';
import { useWords } from '../text/words.js';
import { CheckpointPanel, ProofDialog } from './proof.js';
import { dayBegins, withQuery } from '../../kit/address.js';
import { actor_chars_max } from '../../../base/listing-limits.js';
import { Period, TextFilter } from '../../kit/controls/inputs.js';
import type { EventType } from '../../../codec/event.js';
import { audit, type EventGroup } from '../text/en/audit.js';

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

/** What narrows the journal: the mission, the type of entry, who acted, and when. */
const mission_chars_max = 36;

function JournalFilterBar({ filters }: { readonly filters: JournalFilters }) {
  const { t } = useWords();
  const [round, setRound] = useState(0);
  const change = (part: Partial<JournalFilters>): void =>
    replaceRoute({ page: 'journal', before: null, filters: { ...filters, ...part } });
  const clear = (): void => {
    setRound((n) => n + 1);
    change(noJournalFilters);
  };
  return (
    // Other fields take the place of the cleared ones, with whatever was still being typed there.
    <form key={round} class="filters" role="search" aria-label={t.list.filters} onSubmit={(event) => event.preventDefault()}>
      <TextFilter
        isSearch
        label={t.audit.mission}
        hint={t.audit.missionHint}
        value={filters.mission}
        chars_max={mission_chars_max}
        clean={(text) => text.toLowerCase().replace(/[^0-9a-f-]/g, '')}
        change={(mission) => change({ mission })}
      />
      <TypeField type={filters.type} change={change} />
      <TextFilter
        label={t.audit.columns.who}
        hint={t.list.actorHint}
        value={filters.actor}
        chars_max={actor_chars_max}
        change={(actor) => change({ actor })}
      />
      <Period value={filters} change={change} labels={[t.audit.since, t.audit.until]} />
      {withQuery('', { ...filters }) !== '' && (
        <button type="button" onClick={clear}>
          {t.list.clear}
        </button>
      )}
    </form>
  );
}

interface TypeProps {
  readonly type: string;
  readonly change: (part: Partial<JournalFilters>) => void;
}

function TypeField({ type, change }: TypeProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <div>
      <label for={id}>{t.audit.columns.what}</label>
      <select id={id} value={type} onChange={(event) => change({ type: event.currentTarget.value })}>
        <option value="">{t.list.all}</option>
        {typesByGroup.map(([group, types]) => (
          <optgroup key={group} label={t.audit.groups[group]}>
            <option value={group}>{t.audit.allOf(t.audit.groups[group])}</option>
            {types.map((each) => (
              <option key={each} value={each}>
                {t.audit.types[each]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

/** Entries of the journal as an audit view: what was done, by whom, to which mission, in which stage, and with which content. */
const uuid = /^[0-9a-f]{8}-/;

interface EntriesProps {
  readonly page: EntryPage;
  readonly before: number | null;
  readonly filters: JournalFilters;
}

function Entries({ page: { items, next_before }, before, filters }: EntriesProps) {
  const { t } = useWords();
  const [proved, setProved] = useState<number | null>(null);
  return (
    <>
      {items.length === 0 ? (
        <NoEntries filters={filters} hasMore={next_before !== null} />
      ) : (
        <Table items={items} prove={setProved} />
      )}
      <nav class="pager" aria-label={t.journal.pager}>
        {before !== null && (
          <a class="button" href={hrefOf({ page: 'journal', before: null, filters })}>
            ← {t.journal.newest}
          </a>
        )}
        {next_before !== null && (
          <a class="button" href={hrefOf({ page: 'journal', before: next_before, filters })}>
            {t.journal.older} →
          </a>
        )}
      </nav>
      {proved !== null && <ProofDialog sequence={proved} onClose={() => setProved(null)} />}
    </>
  );
}

function NoEntries({ filters, hasMore }: { readonly filters: JournalFilters; readonly hasMore: boolean }) {
  const { t } = useWords();
  if (hasMore)
    return (
      <Empty title={t.audit.emptyPart}>
        <p>{t.audit.emptyPartText}</p>
      </Empty>
    );
  const isFiltered = Object.values(filters).some((value) => value !== null && value !== '');
  if (!isFiltered) return <Empty title={t.journal.empty} />;
  return (
    <Empty title={t.audit.emptyFiltered}>
      <p>
        <a href={hrefOf({ page: 'journal', before: null, filters: noJournalFilters })}>{t.list.clear}</a>
      </p>
    </Empty>
  );
}

interface TableProps {
  readonly items: readonly JournalEntry[];
  readonly prove: (sequence: number) => void;
}

function Table({ items, prove }: TableProps) {
  const { t } = useWords();
  const { sequence, time, proof } = t.journal.columns;
  const { what, who, mission, stage, content } = t.audit.columns;
  return (
    <table role="table" class="list list-journal">
      <caption class="sr-only">{t.journal.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {[sequence, what, who, mission, stage, content, time, proof].map((name) => (
            <th scope="col" role="columnheader" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((entry) => (
          <Row key={entry.sequence} entry={entry} prove={prove} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ entry, prove }: { readonly entry: JournalEntry; readonly prove: (sequence: number) => void }) {
  const { k, t, f } = useWords();
  const { sequence, type, actor, stage, time } = entry;
  const columns = t.audit.columns;
  const known = knownType(type);
  return (
    <tr role="row">
      <th scope="row" role="rowheader" class="sequence">
        {sequence}
      </th>
      <td role="cell" data-label={columns.what}>
        <span class="what">{known === null ? t.audit.unknown : t.audit.types[known]}</span> <code class="type">{type}</code>
      </td>
      <td role="cell" data-label={columns.who}>
        {actor ?? <span class="muted">{t.audit.itself}</span>}
      </td>
      <td role="cell" data-label={columns.mission}>
        <StreamCell stream={entry.stream} />
      </td>
      {stage === null ? (
        <td role="cell" />
      ) : (
        <td role="cell" data-label={columns.stage}>
          {k.roles[stage] ?? stage}
        </td>
      )}
      <td role="cell" data-label={columns.content} class="content">
        <LazyDetails
          title={
            <span class="summary" lang="en" title={entry.summary}>
              {entry.summary === '' ? t.audit.open : entry.summary}
            </span>
          }
        >
          {() => <Content sequence={sequence} />}
        </LazyDetails>
      </td>
      <td role="cell" data-label={t.journal.columns.time}>
        <time dateTime={time}>{f.dateTime(time)}</time>
      </td>
      <td role="cell">
        <button type="button" class="small" onClick={() => prove(sequence)}>
          {t.journal.prove}
          <span class="sr-only"> {t.journal.entryNo(String(sequence))}</span>
        </button>
      </td>
    </tr>
  );
}

function StreamCell({ stream }: { readonly stream: string }) {
  if (!uuid.test(stream)) return <code>{stream}</code>;
  return (
    <a href={hrefOf({ page: 'mission', id: stream })}>
      <code>{stream.slice(0, 8)}</code>
    </a>
  );
}

/** The entry's document as it was signed, and the hash over the whole entry. */
function Content({ sequence }: { readonly sequence: number }) {
  const { t } = useWords();
  const { api } = useSession();
  const path = `/api/journal/entries/${sequence}`;
  const { data, problem, reload } = useLoad(path, (signal) => api.get(path, entryDetailCodec, signal));
  if (data === null)
    return problem === null ? <Loading /> : <ProblemBox title={t.audit.failed} problem={problem} retry={reload} />;
  return (
    <>
      <pre class="json" tabIndex={0} aria-label={t.audit.columns.content}>
        {JSON.stringify(data.document, null, 2)}
      </pre>
      <Facts facts={[[t.journal.hash, <Mono>{data.hash}</Mono>]]} />
    </>
  );
}

/** The types of entries by group, in the order of the words. */
const types = Object.keys(audit.types) as EventType[];
const groups = Object.keys(audit.groups) as EventGroup[];

const typesByGroup: readonly (readonly [EventGroup, readonly EventType[]])[] = groups.map((group) => [
  group,
  types.filter((type) => type.startsWith(`${group}.`)),
]);

/** Returns the type if this program knows it. */
const knownType = (type: string): EventType | null => types.find((each) => each === type) ?? null;
