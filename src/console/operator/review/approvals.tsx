/** Who approved a result: by which key, when, and how many are called for; or that it is only the home's word. */
import type { MissionRecord } from '../../../codec/api-missions.js';
import { useWords } from '../text/words.js';

export function Approvals({ record }: { readonly record: MissionRecord }) {
  const { k, t, f } = useWords();
  const { approvals = [], approvals_required: required = 0, unsigned, review } = record;
  if (unsigned !== undefined) return <p class="unsigned">{t.review.unsigned(review?.actor ?? '')}</p>;
  if (required === 0 && approvals.length === 0) return null;
  return (
    <div class="approvals" role="group" aria-label={t.approvers.approvals}>
      <p>
        {approvals.length === 0 ? (
          t.approvers.needed(required)
        ) : (
          <>
            <strong>{t.approvers.count(approvals.length, required)}</strong>
            {k.colon}
            {approvals.map(({ approver, at }) => `${approver}, ${f.clock(at)}`).join(k.semicolon)}
          </>
        )}
      </p>
      <ul class="bare">
        {approvals.map(({ approver, title, kind, fingerprint, at, key_removed_at }) => (
          <li key={fingerprint}>
            {approver}
            {title !== null && ` (${title})`}{' '}
            <span class="help">{t.approvers.approvalOf(t.approvers.kinds[kind], f.dateTime(at))}</span>
            <code class="mono">{fingerprint}</code>
            {key_removed_at !== undefined && <span class="help">{t.approvers.removedLater(f.dateTime(key_removed_at))}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
