/** A mission: what it is, what it found, and what may be done with it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { missionPageCodec, type MissionRecord, missionRecordCodec } from '../../../codec/api-missions.js';
import { titleOf } from '../../../reports/title.js';
import { CommandLine, CopyButton } from '../../kit/controls/copy.js';
import { Button, ButtonLink } from '../../kit/controls/inputs.js';
import { Facts, Load, Loading, Mono, PageTitle } from '../../kit/controls/pieces.js';
import { Tabs } from '../../kit/controls/tabs.js';
import { useSoon } from '../../kit/load.js';
import { kindViews, useKindWords } from '../kinds/table.js';
import { isOfPayments } from '../payments/pieces.js';
import { PaymentSection } from '../payments/section.js';
import { commandsFor } from '../review/commands.js';
import { type PaneProps, ReviewPane } from '../review/pane.js';
import { hrefOf, noFilters } from '../session/route.js';
import { useFeed, useGet, useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { Actions, Activity } from './actions.js';
import { Details, RawJson, Timeline, valueOf } from './evidence.js';
import { InputSection } from './inputs.js';
import { AssistantBadge, StateBadge } from './state-badge.js';

const reload_delay_ms = 150;

const id_chars = 36;

/** A mission by its id, or by the beginning of it. */
export const MissionPage = ({ id }: { readonly id: string }) =>
  id.length === id_chars ? <OneMission id={id} /> : <NamedMission prefix={id} />;

/** Opens the mission whose id begins so, and the list of those with this text where there is not exactly one. */
function NamedMission({ prefix }: { readonly prefix: string }) {
  const { t } = useWords();
  const found = useGet(`/api/missions?q=${prefix}`, missionPageCodec);
  const { data } = found;
  useEffect(() => {
    if (data === null) return;
    const [only, ...more] = data.items.filter(({ id }) => id.startsWith(prefix));
    const isFound = only !== undefined && more.length === 0;
    location.replace(
      hrefOf(isFound ? { page: 'mission', id: only.id } : { page: 'missions', filters: { ...noFilters, q: prefix } }),
    );
  }, [data, prefix]);
  return (
    <>
      <PageTitle title={t.mission.id} />
      <Load from={found} failed={t.failed.mission}>
        {() => <Loading />}
      </Load>
    </>
  );
}

function OneMission({ id }: { readonly id: string }) {
  const { t } = useWords();
  const { review } = useRights();
  const mission = useGet(`/api/missions/${id}`, missionRecordCodec);
  const { data, reload, set } = mission;
  const [newest, setNewest] = useState(0);
  const soon = useSoon(reload, reload_delay_ms);
  // What somebody is about to decide on never changes under their eyes: they are told, and load it themselves.
  const held = data !== null && data.state === 'review' && review;
  useFeed({
    entry: (entry) => {
      if (isOfPayments(entry) && !held) soon();
      // The place in the queue changes when others start or leave it.
      if (data?.queue_position !== undefined && entry.mission !== null) soon();
      if (entry.mission !== id) return;
      // An approval by somebody else leaves the result as it is, and the revision.
      if (entry.type === 'mission.approved') return soon();
      setNewest(entry.sequence);
      if (!held) soon();
    },
    again: () => !held && soon(),
  });
  const changed = held && newest > data.revision;
  const failure = (
    <Load from={mission} failed={t.failed.mission}>
      {() => null}
    </Load>
  );
  if (data !== null)
    return (
      <Mission record={data} changed={changed} set={set} reload={reload}>
        {failure}
      </Mission>
    );
  return (
    <>
      <PageTitle title={t.mission.id} />
      {failure}
    </>
  );
}

type MissionProps = PaneProps & { readonly children: ComponentChildren };

/**
 * The result and its evidence, with what may be done about them: beside each other on wide screens. Elsewhere a decision comes after the
 * result that it is about, every other action before it.
 */
function Mission({ record, changed, set, reload, children }: MissionProps) {
  const { state, revision } = record;
  const decides = state === 'review';
  const [decided, setDecided] = useState(false);
  const decide = (next: MissionRecord): void => {
    setDecided(true);
    set(next);
  };
  const actions = (
    <>
      <Activity record={record} isNew={decided} />
      {decided && !decides && <NextInReview />}
      <Actions record={record} set={set} />
    </>
  );
  return (
    <article class="mission">
      <div class="mission-top">
        <Head record={record} />
        {children}
        {changed && <Changed reload={reload} />}
        {decides && actions}
      </div>
      {!decides && <div class="mission-side">{actions}</div>}
      <div class="mission-evidence">
        <Changes record={record} />
        <InputSection record={record} />
        <ResultSection record={record} />
        {state === 'completed' && <PaymentSection record={record} reload={reload} />}
        <Evidence record={record} />
        <CommandLine lines={commandsFor(record)} />
      </div>
      {decides && (
        <div class="mission-side">
          <ReviewPane key={revision} record={record} changed={changed} set={decide} reload={reload} />
        </div>
      )}
      <PrintFoot record={record} />
    </article>
  );
}

/** What a printed page ends with: which mission it is, who approved the result, and its hash. */
function PrintFoot({ record: { id, review, result_hash } }: { readonly record: MissionRecord }) {
  const { t, f } = useWords();
  const who = review?.approved === true ? t.mission.approvedBy : t.mission.rejectedBy;
  return (
    <footer class="print-only">
      <Facts
        facts={[
          [t.mission.id, <Mono>{id}</Mono>],
          [t.mission.reviewed, review === null ? t.mission.notApproved : who(review.actor, f.dateTime(review.at))],
          result_hash === null ? null : [t.mission.resultHash, <Mono>{result_hash}</Mono>],
        ]}
      />
    </footer>
  );
}

function Evidence({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  return (
    <Tabs
      label={t.mission.evidence}
      tabs={[
        { key: 'stages', title: t.mission.stages, content: () => <Timeline stages={record.stages} /> },
        { key: 'details', title: t.mission.details, content: () => <Details record={record} /> },
        { key: 'raw', title: t.mission.raw, content: () => <RawJson record={record} /> },
      ]}
    />
  );
}

/** The address of a mission's page, which holds no token. */
const linkTo = (id: string): string => `${location.origin}${location.pathname}${hrefOf({ page: 'mission', id })}`;

function Head({ record }: { readonly record: MissionRecord }) {
  const { t, f } = useWords();
  const kindWords = useKindWords();
  const { goal, kind, state, id, revision, attempt, updated_at } = record;
  const { title, rest } = titleOf(goal);
  return (
    <header class="mission-head">
      <p class="eyebrow">
        <span>{kindWords(kind).name}</span>{' '}
        <span role="status">
          <StateBadge state={state} />
        </span>{' '}
        <AssistantBadge of={record} /> <CopyButton text={linkTo(id)} label={t.mission.copyLink} />
      </p>
      <PageTitle title={title} />
      {rest !== '' && <p class="goal-rest">{rest}</p>}
      <Facts
        beside
        facts={[
          [t.mission.id, <code class="mono">{id}</code>],
          [t.mission.revision, f.number(revision)],
          [t.mission.attempt, f.number(attempt)],
          [t.mission.updated, <time dateTime={updated_at}>{f.dateTime(updated_at)}</time>],
        ]}
      />
    </header>
  );
}

function Changed({ reload }: { readonly reload: () => void }) {
  const { t } = useWords();
  return (
    <div class="notice notice-warn" role="status">
      <p>
        <strong>{t.mission.changed}</strong> {t.mission.changedText}
      </p>
      <Button onClick={reload} text={t.mission.load} />
    </div>
  );
}

/** After a decision: the mission that has needed review for the longest time, or that none is left. */
function NextInReview() {
  const { t, f } = useWords();
  const left = useSession().status.counts.review;
  const { data, reload } = useGet('/api/missions?needs=me&order=asc&limit=1', missionPageCodec);
  useEffect(reload, [left]);
  if (data === null) return null;
  const [next] = data.items;
  const list = hrefOf({
    page: 'missions',
    filters: { ...noFilters, needs: next === undefined ? null : 'me', order: next === undefined ? null : 'asc' },
  });
  return (
    <nav class="next" aria-label={t.review.nextMission}>
      {next === undefined ? (
        <p>
          {t.review.noneLeft} <a href={list}>{t.shell.toMissions}</a>
        </p>
      ) : (
        <>
          <ButtonLink class="primary" href={hrefOf({ page: 'mission', id: next.id })} text={`${t.review.nextMission} →`} />
          <p class="next-goal">
            {next.goal} <AssistantBadge of={next} />
          </p>
          <p class="help">
            <a href={list}>{t.review.left(f.number(Math.max(1, left)))}</a>
          </p>
        </>
      )}
    </nav>
  );
}

/** What the request changes of the one that it was made from. */
function Changes({ record: { derived_from, changes = [] } }: { readonly record: MissionRecord }) {
  const { t, f } = useWords();
  if (derived_from === null) return null;
  const text = (value: unknown): string => {
    if (value === undefined) return '–';
    return typeof value === 'number' ? f.number(value) : typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <section class="notice" aria-label={t.mission.changes}>
      <p>
        <strong>{t.mission.changes}</strong> <a href={hrefOf({ page: 'mission', id: derived_from })}>{t.mission.derivedFrom}</a>
      </p>
      <ul>
        {changes.map(({ path, before, after }) => (
          <li key={path}>
            {path.replace(/^work\./, '')} {text(before)} → {text(after)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The result of a mission as people read it; one of an unknown shape by its own figures. */
function ResultSection({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { kind, result, result_hash } = record;
  const view = kindViews[kind];
  return (
    <section aria-labelledby="result">
      <h2 id="result">{t.mission.result}</h2>
      {result === null ? (
        <p class="muted">{result_hash === null ? t.mission.noResult : t.mission.resultGone}</p>
      ) : (
        (view.result(record) ?? <PlainResult result={result} />)
      )}
      {view.runs?.(record)}
    </section>
  );
}

/** Every member of the result as it is: whoever decides must see what is signed. */
function PlainResult({ result }: { readonly result: unknown }) {
  const { t, f } = useWords();
  const members = typeof result === 'object' && result !== null ? Object.entries(result) : [];
  return (
    <>
      <p class="muted">{t.mission.otherShape}</p>
      <Facts facts={members.map(([name, value]) => [name, typeof value === 'number' ? f.number(value) : valueOf(value)])} />
    </>
  );
}
