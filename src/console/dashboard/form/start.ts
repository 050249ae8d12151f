/** Starting a run, once: the same request is sent under the same key however often the button is pressed. */
import { useRef } from 'preact/hooks';
import { useAnnounce } from '../../kit/controls/announce.js';
import { uuid } from '../../kit/api/uuid.js';
import { createdCodec } from '../../../codec/api-simulation.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { goTo } from '../session/use-route.js';

/** Sends the very text and goes to the run's page. */
export function useStart(): (text: string) => Promise<void> {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const last = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return async (text) => {
    if (last.current?.text !== text) last.current = { text, key: uuid() };
    const headers = { 'Idempotency-Key': last.current.key };
    const { id } = await api.post('/simulate', createdCodec, { text, headers });
    // A second press after this one succeeded asks for another run.
    last.current = null;
    announce(t.form.started);
    goTo({ page: 'run', id });
  };
}
