/** A failure: what could not be done, then what the agent or the page says of it, faults by field, and the command that fixes it. */
import type { ComponentChildren } from 'preact';
import type { FieldError } from '../../../base/refusal.js';
import type { Problem } from '../api/problem.js';
import type { Loaded } from '../load.js';
import { useText } from '../text/context.js';
import { useHomed } from './agent-cli.js';
import { CopyButton } from './copy.js';
import { Button } from './inputs.js';
import { Loading } from './pieces.js';

interface ProblemProps {
  readonly problem: Problem;
  /** What could not be done, and to which thing. */
  readonly title: string;
  readonly retry?: () => void;
}

/** What is wrong with the members of a document, each by its path. */
export const FieldErrors = ({ errors }: { readonly errors: readonly FieldError[] }) => (
  <ul lang="en">
    {errors.map(({ path, message }) => (
      <li key={path + message}>
        {path !== '' && <code>{path}</code>} {message}
      </li>
    ))}
  </ul>
);

export function ProblemBox({ problem, title, retry }: ProblemProps) {
  const { k } = useText();
  const homed = useHomed();
  const { code, title: kind, detail, errors, hint, retryAfter } = problem.document;
  const [first] = errors;
  const isListed = first !== undefined && detail.startsWith([first.path, first.message].filter(Boolean).join(': '));
  const own =
    code === 'network' || code === 'unexpected' || code === 'file' || code === 'passkey'
      ? { ...k.problem, ...k.page.problem }[code]
      : null;
  return (
    <div class="problem" role="alert">
      <p class="problem-title">
        {title}
        {kind !== '' && <span lang="en">{k.colon + kind}</span>}
      </p>
      {own !== null && <p>{own}</p>}
      {detail !== '' && !isListed && <p lang="en">{detail}</p>}
      {retryAfter !== null && <p>{k.problem.later(retryAfter)}</p>}
      {errors.length > 0 && <FieldErrors errors={errors} />}
      {hint !== null && (
        <p>
          {k.problem.fix + k.colon}
          <code>{homed(hint)}</code> <CopyButton text={homed(hint)} label={k.copyCommand} />
        </p>
      )}
      <p class="fine">
        {k.problem.code + k.colon}
        <code>{code}</code>
      </p>
      {retry !== undefined && <Button onClick={retry} text={k.retry} />}
    </div>
  );
}

interface LoadProps<A> {
  readonly from: Loaded<A>;
  readonly failed: string;
  readonly children: (data: A) => ComponentChildren;
}

/** What was loaded; until then that it is on its way, or why it could not be loaded. */
export const Load = <A,>({ from: { data, problem, reload }, failed, children }: LoadProps<A>) => (
  <>
    {problem !== null && <ProblemBox title={failed} problem={problem} retry={reload} />}
    {data === null ? problem === null && <Loading /> : children(data)}
  </>
);
