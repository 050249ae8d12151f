/** Queueing what was made on the page. */
import { missionRecordCodec } from '../../../codec/api-missions.js';
import { withQuery } from '../../kit/address.js';
import { asProblem } from '../../kit/api/client.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { useIsThere, usePostOnce } from '../../kit/load.js';
import { goTo, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

/**
 * Sends exactly this text and goes to the mission's page, executing the mission first if `execute` is set.
 * @param from the mission whose request was changed, or null
 */
export function useQueue(from: string | null = null): (text: string, execute: boolean) => Promise<void> {
  const { t } = useWords();
  const { api, refused } = useSession();
  const announce = useAnnounce();
  const post = usePostOnce(api);
  const isThere = useIsThere();
  return async (text, execute) => {
    const { id } = await post(withQuery('/api/missions', { derived_from: from }), missionRecordCodec, text);
    announce(t.create.queued);
    if (execute) {
      // The mission stays queued even if executing it fails; its page says why.
      const asked = api.post(`/api/missions/${id}/execute`, missionRecordCodec);
      await asked.catch((error: unknown) => refused.set(id, asProblem(error)));
    }
    if (isThere()) goTo({ page: 'mission', id });
  };
}
