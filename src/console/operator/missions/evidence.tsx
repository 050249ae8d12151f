/** The evidence of a mission: its stages, the sources of its values, its signed entries with proofs, and the JSON itself. */
import { useState } from 'preact/hooks';
import { type MissionEntries, missionEntriesCodec, type MissionRecord } from '../../../codec/api-missions.js';
import type { Stage } from '../../../codec/record.js';
import { roles } from '../../../codec/roles.js';
import { type Fact, Facts, JsonDetails, LazyDetails, MemberFacts, Mono, Scroll } from '../../kit/controls/pieces.js';
import { Load } from '../../kit/controls/problem.js';
import { brief } from '../../kit/text/format.js';
import { ProofDialog } from '../journal/proof.js';
import { hrefOf } from '../session/route.js';
import { useGet } from '../session/session.js';
import { useWords } from '../text/words.js';

export function Details({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { verification, erased } = record;
  return (
    <>
      {erased && <p class="notice notice-warn">{t.mission.erased}</p>}
      <Facts wide facts={useFacts(record)} />
      {verification !== null && (
        <LazyDetails title={t.mission.checks} open={!verification.passed}>
          {() => (
            <ul class="checks-list" lang="en">
              {verification.checks.map((check) => (
                <li key={check}>{check}</li>
              ))}
              {verification.failure !== null && <li class="failed">{verification.failure}</li>}
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
  const { t } = useWords();
  const { request, result } = record;
  return (
    <>
      {request !== null && <JsonDetails title={`${t.mission.raw}: ${t.mission.rawRequest}`} value={request} />}
      {result !== null && <JsonDetails title={`${t.mission.raw}: ${t.mission.rawResult}`} value={result} />}
      <JsonDetails title={`${t.mission.raw}: ${t.mission.rawRecord}`} value={record} />
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
  const { sequence, type, time, hash, proof } = t.mission.entryColumns;
  return (
    <Scroll label={t.mission.entries}>
      <table>
        <thead>
          <tr>
            {[sequence, type, time, hash, proof].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <tr key={entry.sequence}>
              <th scope="row" class="numeric">
                {entry.sequence}
              </th>
              <td>
                <code>{entry.type}</code>
              </td>
              <td>
                <time dateTime={entry.time}>{f.dateTime(entry.time)}</time>
              </td>
              <td>
                <code title={entry.hash}>{brief(entry.hash)}</code>
              </td>
              <td>
                <button type="button" class="small" onClick={() => ask(entry.sequence)}>
                  {t.mission.proof}
                  <span class="sr-only"> {entry.sequence}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The seven recorded roles of a mission and what each noted. */
export function Timeline({ stages }: { readonly stages: readonly Stage[] }) {
  const { k, t, f } = useWords();
  const done = new Map(stages.map((stage) => [stage.role, stage]));
  return (
    <>
      {stages.length === 0 && <p class="muted">{t.mission.noStages}</p>}
      {stages.length > 0 && (
        <ol class="timeline">
          {roles.map((role) => {
            const stage = done.get(role);
            const name = k.roles[role] ?? role;
            if (stage === undefined)
              return (
                <li key={role} class="todo">
                  <span class="stage-name">{name}</span>
                </li>
              );
            return (
              <li key={role} class="done">
                <LazyDetails
                  title={
                    <>
                      <span class="stage-name">{name}</span> <time dateTime={stage.at}>{f.time(stage.at)}</time>
                    </>
                  }
                >
                  {() => <Detail detail={stage.detail} />}
                </LazyDetails>
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

/** What a stage noted, as recorded in the journal. */
const Detail = ({ detail }: { readonly detail: Stage['detail'] }) => (
  <MemberFacts
    lang="en"
    members={Object.entries(detail)}
    print={(value) => (Array.isArray(value) ? <List values={value} /> : textOf(value))}
  />
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const List = ({ values }: { readonly values: readonly unknown[] }) => (
  <ul>
    {values.map((value, i) => (
      <li key={i}>{textOf(value)}</li>
    ))}
  </ul>
);
