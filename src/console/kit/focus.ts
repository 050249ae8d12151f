/** Keeps the focus in the page: what has it may be disabled while it works, or be gone afterwards or by news. */

/** By then a page has moved the focus itself where it means to. */
const look_ms = 150;
/** How many looks what is disabled gets to come back. */
const looks_max = 8;

type Focusable = HTMLElement | SVGElement;

/** Gives a lost focus back to what had it, or, where that is gone or stays disabled, to what is around it; to the heading of the page at last. */
export function keepFocus(): void {
  let path: readonly Focusable[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  const isLost = (): boolean => path.length > 0 && document.activeElement === document.body;
  const look = (): void => {
    timer = undefined;
    const [own] = path;
    if (own === undefined || !isLost()) return;
    own.focus({ preventScroll: true });
    if (!isLost()) return;
    if (own.isConnected && own.matches(':disabled') && ++looks < looks_max) return soon();
    const around = path.slice(1).find((each) => each.isConnected && each.checkVisibility());
    const near = around?.querySelector<HTMLElement>('h1') ?? around;
    // One that people reach by themselves stays reachable.
    if (near?.hasAttribute('tabindex') === false) near.setAttribute('tabindex', '-1');
    near?.focus({ preventScroll: true });
  };
  const soon = (): void => void (timer ??= setTimeout(look, look_ms));
  addEventListener('focusin', ({ target }) => ((path = ancestorsOf(target as Focusable)), (looks = 0)));
  // A click beside all controls takes the focus away on purpose.
  addEventListener('pointerdown', () => (path = []), true);
  const changes = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver(() => isLost() && soon()).observe(document.body, changes);
}

/** Returns an element and all that it is in, below the body. */
const ancestorsOf = (element: Focusable | null): readonly Focusable[] =>
  element === null || element === document.body ? [] : [element, ...ancestorsOf(element.parentElement)];
