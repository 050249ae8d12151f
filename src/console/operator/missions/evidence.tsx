/** The evidence of a mission: its stages, the sources of its values, its signed entries with proofs, and the JSON itself. */
import { useState } from 'preact/hooks';
import { type MissionEntries, missionEntriesCodec, type MissionRecord } from '../../../codec/api-missions.js';
import type { Stage } from '../../../codec/record.js';
import { roles } from '../../../codec/roles.js';
import { type Fact, Facts, JsonDetails, LazyDetails, Load, Mono } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { brief } from '../../kit/text/format.js';
import { ProofDialog } from '../journal/page.js';
import { hrefOf } from '../session/route.js';
import { useGet } from '../session/session.js';
import { useWords } from '../text/words.js';

export function Details({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { verification, erased } = record;
  return (
    <>
      {erased && <p class="notice notice-warn">{t.mission.erased}</p>}
      <Facts facts={useFacts(record)} />
      {verification !== null && (
        <LazyDetails title={t.mission.checks} open={!verification.passed}>
          {() => (
            <ul class="marked" lang="en">
              {verification.checks.map((check) => (
                <li key={check}>{check}</li>
              ))}
              {verification.failure !== null && <li class="failed toned tone-bad">{verification.failure}</li>}
            </ul>
          )}
        </LazyDetails>
      )}
      <LazyDetails title={t.mission.entries}>{() => <Entries id={record.id} revision={record.revision} />}</LazyDetails>
    </>
  );
}

/** The documents that everything on the page was read from. */
export function RawJson({ record }: { readonly record: MissionRecord }) {
  const { t, k } = useWords();
  const { request, result } = record;
  return (
    <>
      {request !== null && <JsonDetails title={t.mission.raw + k.colon + t.mission.rawRequest} value={request} />}
      {result !== null && <JsonDetails title={t.mission.raw + k.colon + t.mission.rawResult} value={result} />}
      <JsonDetails title={t.mission.raw + k.colon + t.mission.rawRecord} value={record} />
    </>
  );
}

function useFacts(record: MissionRecord): readonly (Fact | null)[] {
  const { t, f } = useWords();
  const { engine, parent, request_hash, result_hash, verification, created_at, lease_expires_at } = record;
  const when = (at: string) => <time dateTime={at}>{f.dateTime(at)}</time>;
  return [
    [t.mission.created, when(created_at)],
    engine === null ? null : [t.mission.engine, `${engine.name} ${engine.version}`],
    parent === null
      ? null
      : [
          t.mission.parent,
          <>
            <a href={hrefOf({ page: 'mission', id: parent })}>
              <Mono>{parent}</Mono>
            </a>
            <span class="help">{t.mission.parentHint}</span>
          </>,
        ],
    lease_expires_at === null ? null : [t.mission.lease, when(lease_expires_at)],
    [t.mission.requestHash, <Mono>{request_hash}</Mono>],
    result_hash === null ? null : [t.mission.resultHash, <Mono>{result_hash}</Mono>],
    verification === null
      ? null
      : [t.mission.verified, verification.passed ? t.mission.verifiedYes(verification.checks.length) : t.mission.verifiedNo],
    record.recomputed === null ? [t.mission.recomputed, t.mission.recomputedNo] : null,
  ];
}

/** A mission's entries in the signed journal. */
function Entries({ id, revision }: { readonly id: string; readonly revision: number }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<number | null>(null);
  return (
    <Load from={useGet(`/api/missions/${id}/events`, missionEntriesCodec, revision)} failed={t.failed.entries}>
      {({ items }) => (
        <>
          <p class="help">{t.mission.entriesText}</p>
          <EntryTable items={items} ask={setAsked} />
          {asked !== null && <ProofDialog sequence={asked} onClose={() => setAsked(null)} />}
        </>
      )}
    </Load>
  );
}

function EntryTable({ items, ask }: { readonly items: MissionEntries['items']; readonly ask: (sequence: number) => void }) {
  const { t, f } = useWords();
  const { sequence: number, type, time, hash, proof } = t.mission.entryColumns;
  return (
    <DataTable
      isPlain
      label={t.mission.entries}
      head={[number, type, time, hash, proof]}
      texts={[1, 2, 3, 4]}
      rows={items.map((entry) => [
        String(entry.sequence),
        <code>{entry.type}</code>,
        <time dateTime={entry.time}>{f.dateTime(entry.time)}</time>,
        <code title={entry.hash}>{brief(entry.hash)}</code>,
        <button type="button" class="small" onClick={() => ask(entry.sequence)}>
          {proof}
          <span class="sr-only"> {entry.sequence}</span>
        </button>,
      ])}
    />
  );
}

/** The seven recorded roles of a mission and what each noted. */
export function Timeline({ stages }: { readonly stages: readonly Stage[] }) {
  const { k, t, f } = useWords();
  if (stages.length === 0) return <p class="muted">{t.mission.noStages}</p>;
  return (
    <ol class="bare timeline">
      {roles.map((role) => {
        const stage = stages.findLast((each) => each.role === role);
        const name = <strong>{k.roles[role] ?? role}</strong>;
        const noted = ({ detail }: Stage) => (
          <Facts isDocument lang="en" facts={Object.entries(detail).map(([member, value]) => [member, valueOf(value)])} />
        );
        const title = stage !== undefined && (
          <>
            {name} <time dateTime={stage.at}>{f.time(stage.at)}</time>
          </>
        );
        return (
          <li key={role} class={stage === undefined ? 'todo' : 'done'}>
            {stage === undefined ? name : <LazyDetails title={title}>{() => noted(stage)}</LazyDetails>}
          </li>
        );
      })}
    </ol>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a member of a document as it is, a list with a line for each of its values. */
export const valueOf = (value: unknown) =>
  Array.isArray(value) ? (
    <ul>
      {value.map((item, i) => (
        <li key={i}>{textOf(item)}</li>
      ))}
    </ul>
  ) : (
    textOf(value)
  );
