/** A failure, as the agent or the page says it: detail, faults by field, the command that mends it. */
import type { Problem } from '../api/problem.js';
import { useText } from '../text/context.js';
import { CopyButton } from './copy.js';

export function ProblemBox({ problem, retry }: { readonly problem: Problem; readonly retry?: () => void }) {
  const { k } = useText();
  const { code, title, detail, errors, hint, retryAfter } = problem.document;
  const own = code === 'network' || code === 'unexpected' || code === 'file' ? { ...k.problem, ...k.page.problem }[code] : null;
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {k.problem.title}
        {title !== '' && <span lang="en">: {title}</span>}
      </p>
      {own !== null && <p>{own}</p>}
      {detail !== '' && <p lang="en">{detail}</p>}
      {retryAfter !== null && <p>{k.problem.later(retryAfter)}</p>}
      {errors.length > 0 && (
        <ul lang="en">
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {hint !== null && (
        <p class="problem-hint">
          {k.problem.mend}: <code>{hint}</code> <CopyButton text={hint} label={k.copyCommand} />
        </p>
      )}
      <p class="problem-code">
        {k.problem.code}: <code>{code}</code>
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {k.retry}
        </button>
      )}
    </div>
  );
}
