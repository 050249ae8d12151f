/** Fields whose text takes effect once typing pauses. */
import { useEffect, useRef, useState } from 'preact/hooks';

const typing_delay_ms = 250;

/**
 * @param q the text that is in effect
 * @param arrive called with the text of the field after a pause
 */
export function useTyped(q: string, arrive: (q: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const newest = useRef(arrive);
  newest.current = arrive;
  const waits = (): boolean => timer.current !== null;
  const forget = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
  };
  useEffect(() => {
    if (!waits()) setTyped(q);
  }, [q]);
  useEffect(() => forget, []);
  const type = (text: string): void => {
    forget();
    setTyped(text);
    timer.current = setTimeout(() => {
      timer.current = null;
      newest.current(text);
    }, typing_delay_ms);
  };
  return [typed, type];
}
