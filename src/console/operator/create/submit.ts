/** Queueing a mission, once: the same content is sent under the same key however often the button is pressed. */
import { useRef } from 'preact/hooks';
import { asProblem } from '../../kit/api/problem.js';
import { missionRecordCodec, type MissionRecord } from '../../../codec/api-missions.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { useSession } from '../session/session.js';
import { goTo } from '../session/use-route.js';
import { useWords } from '../text/words.js';
import { uuid } from '../../kit/api/uuid.js';

/** Sends exactly this text and goes to the mission's page, executing the mission first if `execute` is set. */
export function useQueue(): (text: string, execute: boolean) => Promise<void> {
  const { t } = useWords();
  const { api, refused } = useSession();
  const announce = useAnnounce();
  const last = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return async (text, execute) => {
    if (last.current?.text !== text) last.current = { text, key: uuid() };
    const headers = { 'Idempotency-Key': last.current.key };
    const record: MissionRecord = await api.post('/api/missions', missionRecordCodec, { text, headers });
    announce(t.create.queued);
    const { id } = record;
    if (execute) {
      // The mission stays queued even if executing it fails; its page says why.
      const asked = api.post(`/api/missions/${id}/execute`, missionRecordCodec);
      await asked.catch((error: unknown) => refused.set(id, asProblem(error)));
    }
    goTo({ page: 'mission', id });
  };
}
