/** The sources of a mission's values: hashes, engine, checks, signed entries with proofs; and the JSON itself. */
import type { MissionRecord } from '../../../codec/api-missions.js';
import { Facts, JsonDetails, Mono, type Fact } from '../../kit/controls/pieces.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { hrefOf } from '../session/route.js';
import { useWords } from '../text/words.js';
import { Entries } from './entries.js';

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
  ];
}
