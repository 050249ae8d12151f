/**
 * Notices of the browser, while nobody sees the page: that a mission needs review, or failed. Off until a person asks for them; the
 * browser asks once, and its settings of the site turn them off again. They say how many, and never what a mission is about.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/controls/inputs.js';
import { useWords } from '../text/words.js';
import { hrefOf, noFilters, type Route } from './route.js';
import { goTo, useRights, useSession } from './session.js';

/** Returns what the browser allows; denied where it has no notices, as on a page that came unencrypted from elsewhere. */
const permission = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

export function NoticesButton() {
  const { t } = useWords();
  const { review } = useRights();
  const [state, setState] = useState(permission());
  if (state !== 'default' || !review) return null;
  return <Button class="quiet" onClick={() => void Notification.requestPermission().then(setState)} text={t.list.notify} />;
}

function notify(text: string, route: Route): void {
  const notice = new Notification(text, { tag: hrefOf(route) });
  notice.addEventListener('click', () => {
    window.focus();
    goTo(route);
    notice.close();
  });
}

export function Notices() {
  const { t, f } = useWords();
  const { counts } = useSession().status;
  const { review: mayReview } = useRights();
  const seen = useRef(counts);
  useEffect(() => {
    const { review, failed } = seen.current;
    seen.current = counts;
    if (!document.hidden || permission() !== 'granted') return;
    if (counts.review > review && mayReview)
      notify(t.list.needsYou(f.number(counts.review)), { page: 'missions', filters: { ...noFilters, needs: 'me' } });
    if (counts.failed > failed)
      notify(t.list.failedNow(f.number(counts.failed - failed)), {
        page: 'missions',
        filters: { ...noFilters, state: 'failed' },
      });
  }, [counts.review, counts.failed]);
  return null;
}
