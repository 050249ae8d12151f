/**
 * Keys for who works here all day: `/` goes to the search, `j` and `k` move through the list, `?` shows the keys. They move the focus,
 * so a screen reader says where it is; they do nothing while a field has it, and can be turned off (WCAG 2.1.4).
 */
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../kit/controls/dialog.js';
import { noFilters } from '../session/route.js';
import { useSession } from '../session/session.js';
import { goTo } from '../session/use-route.js';
import { useWords } from '../text/words.js';

/** Fields that take text or choose by letters, and dialogs, which have keys of their own. */
const taken = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], dialog';

const isFree = ({ target, ctrlKey, altKey, metaKey, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented &&
  !(ctrlKey || altKey || metaKey) &&
  document.querySelector('dialog[open]') === null &&
  !(target instanceof Element && target.closest(taken) !== null);

/** Moves the focus to the first link or button in another row of the list. */
function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll('main .list tbody tr')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
  row?.querySelector<HTMLElement>('a[href], summary, button')?.focus();
}

/** What each key does; `search` goes to a page with a search where there is none. */
function useKeys(isOn: boolean, search: () => void, show: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const acts: Readonly<Record<string, () => void>> = { '/': search, j: () => move(1), k: () => move(-1), '?': show };
    const press = (event: KeyboardEvent): void => {
      const act = acts[event.key];
      if (act === undefined || !isFree(event)) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
}

/** The foot of every page, where the keys are told. */
export function Shortcuts() {
  const { t } = useWords();
  const { wishes } = useSession();
  const [isOn, setOn] = useState(true);
  const [isShown, setShown] = useState(false);
  const search = (): void => {
    const field = document.querySelector<HTMLElement>('[data-search]');
    wishes.search = field === null;
    if (field === null) goTo({ page: 'missions', filters: noFilters });
    else field.focus();
  };
  useKeys(isOn, search, () => setShown(true));
  return (
    <footer class="foot">
      <button type="button" class="small quiet" onClick={() => setShown(true)}>
        {t.shell.keys.title}
      </button>
      {isShown && <KeyDialog isOn={isOn} setOn={setOn} onClose={() => setShown(false)} />}
    </footer>
  );
}

interface DialogProps {
  readonly isOn: boolean;
  readonly setOn: (on: boolean) => void;
  readonly onClose: () => void;
}

function KeyDialog({ isOn, setOn, onClose }: DialogProps) {
  const { t } = useWords();
  const { title, search, next, previous, show, open, close, use, where } = t.shell.keys;
  const keys = [
    ['/', search],
    ['j', next],
    ['k', previous],
    ['Enter', open],
    ['?', show],
    ['Esc', close],
  ] as const;
  return (
    <Dialog title={title} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.currentTarget.checked)} /> {use}
      </label>
      <p class="help">{where}</p>
    </Dialog>
  );
}
