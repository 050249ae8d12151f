/** Entries of the journal as an audit view: what was done, by whom, to which mission, in which stage, and with which content. */
import { useState } from 'preact/hooks';
import { entryDetailCodec, type JournalEntry, type JournalPage } from '../../../codec/api-journal.js';
import { Empty, Facts, Loading, Mono } from '../../kit/controls/pieces.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useLoad } from '../../kit/load/use-load.js';
import { hrefOf, noJournalFilters, type JournalFilters } from '../session/route.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { ProofDialog } from './proof.js';
import { knownType } from './types.js';

const uuid = /^[0-9a-f]{8}-/;

interface EntriesProps {
  readonly page: JournalPage;
  readonly before: number | null;
  readonly filters: JournalFilters;
}

export function Entries({ page: { items, next_before }, before, filters }: EntriesProps) {
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
