/** The journal: its state, its newest signed checkpoint, and who did what, as its entries with their proofs say. */
import { useId, useState } from 'preact/hooks';
import { actor_chars_max } from '../../../base/limits.js';
import type { InclusionProof, JournalEntry, JournalPage as EntryPage } from '../../../codec/api-journal.js';
import { checkpointCodec, entryDetailCodec, inclusionCodec, journalPageCodec } from '../../../codec/api-journal.js';
import type { EventType } from '../../../codec/event.js';
import { dayBegins, withQuery } from '../../kit/address.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine, CopyButton, saveBlob } from '../../kit/controls/copy.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { Button, FilterForm, Period, TextFilter } from '../../kit/controls/inputs.js';
import { Empty, Facts, LazyDetails, Load, Mono, PageTitle, Verbatim } from '../../kit/controls/pieces.js';
import { ListTable, Pager } from '../../kit/controls/tables.js';
import { isIncluded } from '../../kit/hash.js';
import { hrefOf, type JournalFilters, noJournalFilters } from '../session/route.js';
import { replaceRoute, useFeed, useGet, useSession } from '../session/session.js';
import { audit, type EventGroup } from '../text/audit.js';
import { useWords } from '../text/words.js';

const page_items = 25;

type PageProps = { readonly before: number | null; readonly filters: JournalFilters };

/** Returns the address of a page. Days of the filters are the reader's, moments of the query are in UTC; `until` is a whole day. */
const pathOf = ({ before, filters: { since, until, ...rest } }: PageProps): string =>
  withQuery('/api/journal', { ...rest, since: dayBegins(since), until: dayBegins(until, 1), before, limit: page_items });

const isNarrowed = (filters: JournalFilters): boolean => Object.values(filters).some((value) => value !== null && value !== '');

export function JournalPage({ before, filters }: PageProps) {
  const { t, f } = useWords();
  const isWhole = !isNarrowed(filters);
  const entries = useGet(pathOf({ before, filters }), journalPageCodec);
  const [newer, setNewer] = useState(0);
  useFeed({ entry: () => setNewer((n) => n + 1) });
  const refresh = (): void => {
    setNewer(0);
    entries.reload();
  };
  return (
    <>
      <PageTitle title={t.journal.title} />
      <p class="lead">{t.journal.lead}</p>
      <State />
      <LazyDetails title={t.journal.checkpoint}>{() => <Checkpoint />}</LazyDetails>
      <JournalFilterBar filters={filters} />
      {before === null && isWhole && newer > 0 && <Button onClick={refresh} text={`↑ ${t.journal.more(f.number(newer))}`} />}
      <Load from={entries} failed={t.failed.journal}>
        {(page) => <Entries page={page} before={before} filters={filters} />}
      </Load>
      <CommandLine lines={[agentCli('verify'), agentCli('verify', '--deep')]} />
    </>
  );
}

function State() {
  const { t, f } = useWords();
  const { journal, identity } = useSession().status;
  const verified =
    journal.valid === null
      ? journal.verified_at === null
        ? t.journal.notYet
        : t.journal.before(f.dateTime(journal.verified_at))
      : !journal.valid
        ? t.journal.invalid
        : journal.verified_at === null
          ? t.journal.validNow
          : t.journal.valid(f.dateTime(journal.verified_at));
  return (
    <>
      <Facts
        beside
        facts={[
          [t.journal.events, f.number(journal.events)],
          [t.journal.verified, verified],
        ]}
      />
      <LazyDetails title={t.journal.facts}>
        {() => (
          <Facts
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

const mission_chars_max = 36;

/** What narrows the journal: the mission, the type of entry, who acted, and when. */
function JournalFilterBar({ filters }: { readonly filters: JournalFilters }) {
  const { t } = useWords();
  const change = (part: Partial<JournalFilters>): void =>
    replaceRoute({ page: 'journal', before: null, filters: { ...filters, ...part } });
  return (
    <FilterForm
      label={t.list.filters}
      isFiltered={isNarrowed(filters)}
      clearText={t.list.clear}
      clear={() => change(noJournalFilters)}
    >
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
    </FilterForm>
  );
}

function TypeField({ type, change }: { readonly type: string; readonly change: (part: Partial<JournalFilters>) => void }) {
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

const uuid = /^[0-9a-f]{8}-/;

type EntriesProps = { readonly page: EntryPage; readonly before: number | null; readonly filters: JournalFilters };

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
      <Pager
        label={t.journal.pager}
        first={before === null ? null : [hrefOf({ page: 'journal', before: null, filters }), t.journal.newest]}
        next={next_before === null ? null : [hrefOf({ page: 'journal', before: next_before, filters }), t.journal.older]}
      />
      {proved !== null && <ProofDialog sequence={proved} onClose={() => setProved(null)} />}
    </>
  );
}

function NoEntries({ filters, hasMore }: { readonly filters: JournalFilters; readonly hasMore: boolean }) {
  const { t } = useWords();
  if (hasMore) return <Empty title={t.audit.emptyPart} text={t.audit.emptyPartText} />;
  if (!isNarrowed(filters)) return <Empty title={t.journal.empty} />;
  return (
    <Empty title={t.audit.emptyFiltered}>
      <p>
        <a href={hrefOf({ page: 'journal', before: null, filters: noJournalFilters })}>{t.list.clear}</a>
      </p>
    </Empty>
  );
}

/** Entries as an audit view: what was done, by whom, to which mission, in which stage, and with which content. */
function Table({ items, prove }: { readonly items: readonly JournalEntry[]; readonly prove: (sequence: number) => void }) {
  const { k, t, f } = useWords();
  const { sequence: number, time, proof } = t.mission.entryColumns;
  const { what, who, mission, stage, content } = t.audit.columns;
  const cellsOf = (entry: JournalEntry) => {
    const known = knownType(entry.type);
    const summary = (
      <span class="summary" lang="en" title={entry.summary}>
        {entry.summary || t.audit.open}
      </span>
    );
    return [
      entry.sequence,
      <>
        <strong>{known === null ? t.audit.unknown : t.audit.types[known]}</strong> <code class="type fine">{entry.type}</code>
      </>,
      <Actor actor={entry.actor} via={entry.via} />,
      <StreamCell stream={entry.stream} />,
      entry.stage && (k.roles[entry.stage] ?? entry.stage),
      <LazyDetails title={summary}>{() => <Content sequence={entry.sequence} />}</LazyDetails>,
      <time dateTime={entry.time}>{f.dateTime(entry.time)}</time>,
      <button type="button" class="small" onClick={() => prove(entry.sequence)}>
        {t.journal.prove}
        <span class="sr-only"> {t.journal.entryNo(String(entry.sequence))}</span>
      </button>,
    ];
  };
  const proofOnScreen = { label: proof, class: 'no-print', isBare: true };
  return (
    <ListTable
      name="journal"
      caption={t.journal.caption}
      columns={[number, what, who, mission, stage, { label: content, class: 'content' }, time, proofOnScreen]}
      rows={items.map((entry) => ({ key: entry.sequence, cells: cellsOf(entry) }))}
    />
  );
}

/** Who acted, and through which channel. */
function Actor({ actor, via }: Pick<JournalEntry, 'actor' | 'via'>) {
  const { t } = useWords();
  if (via === null) return actor ?? <span class="muted">{t.audit.itself}</span>;
  return (
    <>
      {actor} <span class="muted">{t.audit.via[via]}</span>
    </>
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
  return (
    <Load from={useGet(`/api/journal/entries/${sequence}`, entryDetailCodec)} failed={t.audit.failed}>
      {({ document, hash }) => (
        <>
          <Verbatim wrap label={t.audit.columns.content} text={JSON.stringify(document, null, 2)} />
          <Facts beside facts={[[t.journal.hash, <Mono>{hash}</Mono>]]} />
        </>
      )}
    </Load>
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

/** The proof that an entry is in the log, checked here. */
export function ProofDialog({ sequence, onClose }: { readonly sequence: number; readonly onClose: () => void }) {
  const { t, f } = useWords();
  return (
    <Dialog title={t.journal.proofTitle(f.number(sequence))} onClose={onClose} wide>
      <Load from={useGet(`/api/journal/proof?sequence=${sequence}`, inclusionCodec)} failed={t.failed.proof}>
        {(proof) => <Inclusion proof={proof} />}
      </Load>
      <CommandLine inner lines={[agentCli('proof', sequence, '--output', fileOf(sequence))]} />
    </Dialog>
  );
}

const fileOf = (sequence: number): string => `entry-${sequence}.tlog-proof`;

function Inclusion({ proof }: { readonly proof: InclusionProof }) {
  const { t } = useWords();
  const included = isIncluded(proof);
  return (
    <>
      <p class={`notice ${included ? 'notice-good' : 'notice-bad'}`}>{included ? t.journal.included : t.journal.notIncluded}</p>
      <Facts
        facts={[
          [t.journal.hash, <Mono>{proof.hash}</Mono>],
          [t.journal.signature, <Mono>{proof.signature}</Mono>],
        ]}
      />
      <p>{t.journal.proofText}</p>
      <Keepable label={t.mission.entryColumns.proof} text={proof.proof} file={fileOf(proof.sequence)} />
    </>
  );
}

/** The newest signed checkpoint, to be kept elsewhere. */
function Checkpoint() {
  const { t, f } = useWords();
  const { events } = useSession().status.journal;
  return (
    <Load from={useGet('/api/journal/checkpoint', checkpointCodec, events)} failed={t.failed.checkpoint}>
      {({ origin, size, root, vkey, note }) => (
        <>
          <p>{t.journal.checkpointText}</p>
          <Facts
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
