/** Tabs (WAI-ARIA Authoring Practices, tabs with automatic activation): one panel is shown, arrow keys, Home and End choose it. */
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './inputs.js';

export interface Tab {
  readonly key: string;
  readonly title: string;
  /** Called when the tab is chosen for the first time; the panel keeps its state from then on. */
  readonly content: () => ComponentChildren;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(tabs[0]?.key ?? '');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([chosen]));
  const choose = (key: string): void => {
    setChosen(key);
    setOpened((all) => new Set(all).add(key));
  };
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const to = placesFrom(at, tabs.length)[event.key] ?? -1;
    const next = tabs[to];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} class="tab-list" ref={list} onKeyDown={move}>
        {tabs.map(({ key, title }) => (
          <Button
            role="tab"
            key={key}
            id={`${id}-${key}`}
            aria-selected={key === chosen}
            aria-controls={`${id}-${key}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => choose(key)}
            text={title}
          />
        ))}
      </div>
      {tabs.map(({ key, content }) => (
        <div
          role="tabpanel"
          key={key}
          id={`${id}-${key}-panel`}
          aria-labelledby={`${id}-${key}`}
          tabIndex={0}
          hidden={key !== chosen}
        >
          {opened.has(key) && content()}
        </div>
      ))}
    </div>
  );
}

/** Returns the places of the tabs that keys choose. */
const placesFrom = (at: number, count: number): Readonly<Record<string, number>> => ({
  ArrowRight: (at + 1) % count,
  ArrowLeft: (at + count - 1) % count,
  Home: 0,
  End: count - 1,
});
