/** Approve or reject, as a radio group. */
import { useWords } from '../text/words.js';

interface ChoiceProps {
  readonly id: string;
  readonly approve: boolean | null;
  readonly choose: (approve: boolean) => void;
  readonly mayApprove: boolean;
  readonly fault: string | undefined;
}

export function DecisionChoice({ id, approve, choose, mayApprove, fault }: ChoiceProps) {
  const { t } = useWords();
  const options = [
    [`${id}-approve`, true, t.review.approve, t.review.approveHint],
    [`${id}-reject`, false, t.review.reject, t.review.rejectHint],
  ] as const;
  return (
    <fieldset class="choice" aria-describedby={`${id}-choice-error`}>
      <legend>{t.review.decision}</legend>
      <div class="choice-options">
        {options.map(([key, value, label, hint]) => (
          <label key={key} class={value ? 'choice-approve' : 'choice-reject'}>
            <input
              id={key}
              type="radio"
              name={`${id}-decision`}
              checked={approve === value}
              disabled={value && !mayApprove}
              onChange={() => choose(value)}
            />
            <span>
              <strong>{label}</strong>
              <span class="help">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-choice-error`} class="field-error" role="alert">
        {fault}
      </p>
    </fieldset>
  );
}
