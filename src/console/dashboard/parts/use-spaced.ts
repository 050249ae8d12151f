/** Asking the server again when something happened, at once after a while of silence and never too often: it counts requests. */
import { useCallback, useEffect, useRef } from 'preact/hooks';

const delay_ms = 300;
const spacing_ms = 3_000;

/** Calls `act` soon after it is asked to, once for a burst, and not again within three seconds. */
export function useSpaced(act: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last = useRef(-Infinity);
  const newest = useRef(act);
  newest.current = act;
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    const wait = Math.max(delay_ms, last.current + spacing_ms - performance.now());
    timer.current ??= setTimeout(() => {
      timer.current = null;
      last.current = performance.now();
      newest.current();
    }, wait);
  }, []);
}
