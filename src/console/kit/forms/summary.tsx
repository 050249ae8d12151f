/** All faults in one place, each leading to its field. */
import { useEffect, useRef } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { useText } from '../text/context.js';
import { fieldFor } from './faults.js';
import { useLabel } from './field.js';

function focusField(path: string): void {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-path]')];
  const name = fieldFor(
    path,
    fields.map((field) => field.dataset['path'] ?? ''),
  );
  const field = fields.find((each) => each.dataset['path'] === name);
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

/** @param round counts the attempts: after each the summary takes the focus */
export function Summary({ faults, round }: { readonly faults: readonly FieldError[]; readonly round: number }) {
  const { k } = useText();
  const nameOf = useLabel();
  const box = useRef<HTMLDivElement>(null);
  const some = faults.length > 0;
  useEffect(() => {
    if (round > 0 && some) box.current?.focus();
  }, [round, some]);
  if (!some) return null;
  return (
    <div class="problem" role="alert" ref={box} tabIndex={-1}>
      <p class="problem-title">
        {k.page.notSent}. {k.problem.errors(faults.length)}
      </p>
      <ul>
        {faults.map(({ path, message }) => (
          <li key={path + message}>
            <button type="button" class="link" onClick={() => focusField(path)}>
              {nameOf(path) || k.wholeForm}
            </button>
            {': '}
            <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
