/** The frame of every page: header, navigation, banners; it keeps the agent's state fresh and holds the live feed. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Api } from '../../kit/api/client.js';
import { openFeed } from '../api/feed.js';
import type { Problem } from '../../kit/api/problem.js';
import type { FeedProgress } from '../../../codec/api-journal.js';
import { statusCodec, type Status } from '../../../codec/api-status.js';
import { CommandHome } from '../../kit/controls/agent-cli.js';
import { ReachContext, useAway } from '../../kit/load/use-reach.js';
import { useSoon } from '../../kit/load/use-load.js';
import { Header } from './header.js';
import { Pages } from './pages.js';
import { Shortcuts } from './shortcuts.js';
import { SessionContext, type Session } from '../session/session.js';
import { useWords } from '../text/words.js';

const status_delay_ms = 400;
/** The status is refreshed at this interval even when the feed is silent. */
const status_every_ms = 30_000;
/** While the agent is away, it is looked for at this interval. */
const away_every_ms = 2_000;

interface ShellProps {
  readonly api: Api;
  readonly first: Status;
  readonly leave: () => void;
}

export function Shell({ api, first, leave }: ShellProps) {
  const { k } = useWords();
  const [status, setStatus] = useState(first);
  const [progress, setProgress] = useState<ReadonlyMap<string, FeedProgress>>(new Map());
  const refused = useMemo(() => new Map<string, Problem>(), [api]);
  const wishes = useMemo(() => ({ search: false }), [api]);
  const feed = useMemo(() => openFeed(api, first.journal.events), [api]);
  const reloadStatus = useCallback(async () => setStatus(await api.get('/api/status', statusCodec)), [api]);
  // A failure here is seen by the banner and the feed's light; the last known state stays.
  const quietly = useCallback(() => void reloadStatus().catch(() => undefined), [reloadStatus]);
  const soon = useSoon(quietly, status_delay_ms);
  useEffect(() => {
    const end = feed.listen({
      entry: soon,
      again: soon,
      progress: (one) => setProgress((all) => new Map(all).set(one.mission, one)),
    });
    const timer = setInterval(quietly, status_every_ms);
    return () => {
      end();
      clearInterval(timer);
      feed.close();
    };
  }, [feed]);
  const away = useAway(api.reach);
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => document.hidden || quietly(), away_every_ms);
    return () => clearInterval(timer);
  }, [away, quietly]);
  const session = useMemo<Session>(
    () => ({ api, feed, status, reloadStatus, progress, refused, wishes, leave }),
    [api, feed, status, reloadStatus, progress, refused, wishes, leave],
  );
  return (
    <SessionContext.Provider value={session}>
      <ReachContext.Provider value={api.reach}>
        <CommandHome.Provider value={status.home}>
          <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#content h1')?.focus()}>
            {k.skip}
          </button>
          <Header away={away} lookNow={quietly} />
          <main id="content">
            <Pages />
          </main>
          <Shortcuts />
        </CommandHome.Provider>
      </ReachContext.Provider>
    </SessionContext.Provider>
  );
}
