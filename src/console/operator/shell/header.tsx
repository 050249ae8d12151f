/** The header: where one can go, whether the agent works, whether the page is live, and who acts. */
import { useEffect, useState } from 'preact/hooks';
import { controlDocument } from '../../../codec/api-status.js';
import type { FeedState } from '../api/feed.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { hrefOf, noFilters, noJournalFilters, type Route } from '../session/route.js';
import { useWords } from '../text/words.js';
import { LanguageSwitch } from '../../kit/controls/language-switch.js';
import { useRights, useSession } from '../session/session.js';
import { useRoute } from '../session/use-route.js';

interface HeaderProps {
  /** The agent does not respond. */
  readonly away: boolean;
  readonly lookNow: () => void;
}

export function Header(props: HeaderProps) {
  const { k, t: text } = useWords();
  const { status, leave } = useSession();
  const { name, role } = status.actor;
  return (
    <>
      <header class="top">
        <div class="top-row">
          <a class="brand" href={hrefOf({ page: 'missions', filters: noFilters })}>
            {status.name}
          </a>
          <Control />
          <FeedLight />
          <span class="spring" />
          <span class="who">
            <span class="sr-only">{text.shell.actingAs(name, text.shell.access[role])}</span>
            <span aria-hidden="true">
              {name} · {text.shell.access[role]}
            </span>
          </span>
          <LanguageSwitch />
          <button type="button" class="small" onClick={leave} title={k.leaveHint}>
            {k.leave}
          </button>
        </div>
        <Navigation />
      </header>
      <Banners {...props} />
    </>
  );
}

const targets: readonly (readonly [
  'missions' | 'create' | 'payments' | 'journal' | 'tools' | 'doctor',
  Route,
  readonly Route['page'][],
])[] = [
  ['missions', { page: 'missions', filters: noFilters }, ['missions', 'mission']],
  ['create', { page: 'create', kind: null }, ['create']],
  ['payments', { page: 'payments', cursor: null }, ['payments']],
  ['journal', { page: 'journal', before: null, filters: noJournalFilters }, ['journal']],
  ['tools', { page: 'tools' }, ['tools', 'tool']],
  ['doctor', { page: 'doctor' }, ['doctor']],
];

function Navigation() {
  const { k, t: text } = useWords();
  const { review } = useRights();
  const { status } = useSession();
  const route = useRoute();
  const waiting = status.counts['review'] ?? 0;
  return (
    <nav aria-label={k.nav}>
      <ul>
        {targets
          .filter(([name]) => name !== 'create' || review)
          .map(([name, target, pages]) => (
            <li key={name}>
              <a href={hrefOf(target)} aria-current={pages.includes(route.page) ? 'page' : undefined}>
                {text.shell.pages[name]}
                {name === 'missions' && waiting > 0 && (
                  <span class="count">
                    {waiting}
                    <span class="sr-only"> {text.states.review}</span>
                  </span>
                )}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function Control() {
  const { t: text } = useWords();
  const { api, status, reloadStatus } = useSession();
  const { administer } = useRights();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const paused = status.control === 'paused';
  const change = (): void =>
    run(async () => {
      const state = paused ? 'ready' : 'paused';
      await api.post('/api/control', controlDocument, { text: JSON.stringify({ state }) });
      await reloadStatus();
      announce(paused ? text.shell.resumedNow : text.shell.pausedNow);
    });
  return (
    <div class="control">
      <span class={`control-state control-${status.control}`}>{text.shell.control[status.control]}</span>
      {administer && (
        <button
          type="button"
          class="small"
          onClick={change}
          disabled={busy}
          title={paused ? text.shell.controlHint.resume : text.shell.controlHint.pause}
        >
          {paused ? text.shell.control.resume : text.shell.control.pause}
        </button>
      )}
      {problem !== null && <ProblemBox title={paused ? text.failed.resume : text.failed.pause} problem={problem} />}
    </div>
  );
}

function FeedLight() {
  const { k, t: text } = useWords();
  const { feed } = useSession();
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => feed.onState(setState), [feed]);
  return (
    <span class={`feed feed-${state}`} role="status" title={text.shell.feedHint}>
      <span class="feed-dot" aria-hidden="true" /> {k.feed[state]}
    </span>
  );
}

function Banners({ away, lookNow }: HeaderProps) {
  const { k, t: text } = useWords();
  const { status } = useSession();
  return (
    <div class="banners">
      {away && (
        <div class="banner banner-bad banner-away" role="alert">
          <p>{text.shell.away}</p>
          <button type="button" class="small" onClick={lookNow}>
            {k.retry}
          </button>
        </div>
      )}
      {status.control === 'paused' && (
        <p class="banner banner-paused" role="status">
          {text.shell.pausedBanner}
        </p>
      )}
      {status.journal.valid === false && (
        <p class="banner banner-bad" role="alert">
          {text.shell.journalBad} <a href="#/doctor">{text.shell.seeDoctor}</a>
        </p>
      )}
    </div>
  );
}
