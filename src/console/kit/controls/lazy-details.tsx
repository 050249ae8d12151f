/** A part that opens, and whose content is made when it is opened for the first time. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface LazyDetailsProps {
  readonly title: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean;
}

export function LazyDetails({ title, children, open = false }: LazyDetailsProps) {
  const [opened, setOpened] = useState(open);
  return (
    <details open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {opened && <div class="details-body">{children()}</div>}
    </details>
  );
}
