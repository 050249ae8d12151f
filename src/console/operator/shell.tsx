/** The frame of every page: header, navigation, banners; it keeps the agent's state fresh and holds the live feed. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { FeedProgress } from '../../codec/api-journal.js';
import { controlDocument, type Status, statusCodec } from '../../codec/api-status.js';
import type { Api, Problem } from '../kit/api/client.js';
import { CommandHome } from '../kit/controls/agent-cli.js';
import { useAnnounce } from '../kit/controls/announce.js';
import { Dialog } from '../kit/controls/dialog.js';
import { Frame, NotFound } from '../kit/controls/frame.js';
import { Button, Check } from '../kit/controls/inputs.js';
import { ProblemBox } from '../kit/controls/pieces.js';
import { ReachContext, useAction, useAway, useListener, useSoon, useWindow } from '../kit/load.js';
import { openFeed } from './api/feed.js';
import { ApproversPage } from './approvers/page.js';
import { useDroppedFiles } from './create/drop.js';
import { CreatePage } from './create/page.js';
import { DoctorPage } from './journal/doctor.js';
import { JournalPage } from './journal/page.js';
import { ListPage } from './missions/list.js';
import { MissionPage } from './missions/page.js';
import { PaymentsPage } from './payments/page.js';
import { Notices } from './session/notices.js';
import { hrefOf, noFilters, noJournalFilters, type Route } from './session/route.js';
import { goTo, type Session, SessionProvider, useRights, useRoute, useSession } from './session/session.js';
import { useWords } from './text/words.js';
import { ToolPage, ToolsPage } from './tools/tools.js';

const status_delay_ms = 400;
/** The status is refreshed at this interval even when the feed is silent. */
const status_every_ms = 30_000;
/** While the agent is away, it is looked for at this interval. */
const away_every_ms = 2_000;

export function Shell({ api, first, leave }: { readonly api: Api; readonly first: Status; readonly leave: () => void }) {
  const [status, setStatus] = useState(first);
  const [progress, setProgress] = useState<ReadonlyMap<string, FeedProgress>>(new Map());
  const refused = useMemo(() => new Map<string, Problem>(), [api]);
  const left = useMemo(() => new Map<string, unknown>(), [api]);
  const wishes = useMemo(() => ({ search: false, files: [] }), [api]);
  const feed = useMemo(() => openFeed(api, first.journal.events), [api]);
  const reloadStatus = useCallback(async () => setStatus(await api.get('/api/status', statusCodec)), [api]);
  // A failure here is seen by the banner and the feed's light; the last known state stays.
  const quietly = useCallback(() => void reloadStatus().catch(() => undefined), [reloadStatus]);
  const soon = useSoon(quietly, status_delay_ms);
  useListener(feed, {
    entry: soon,
    again: soon,
    progress: (update) => setProgress((all) => new Map(all).set(update.mission, update)),
  });
  useEffect(() => {
    const timer = setInterval(quietly, status_every_ms);
    return () => {
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
    () => ({ api, feed, status, reloadStatus, progress, refused, left, wishes }),
    [api, feed, status, reloadStatus, progress, refused, left, wishes],
  );
  return (
    <SessionProvider value={session}>
      <ReachContext.Provider value={api.reach}>
        <CommandHome.Provider value={status.home}>
          <Framed away={away} lookNow={quietly} leave={leave} />
          <Shortcuts />
          <Notices />
          <DropAnywhere />
        </CommandHome.Provider>
      </ReachContext.Provider>
    </SessionProvider>
  );
}

/** Files that are dropped on another page than that of a new mission lead there. */
function DropAnywhere() {
  const { t } = useWords();
  const { wishes } = useSession();
  const { review } = useRights();
  const isElsewhere = useRoute().page !== 'create';
  const isOver = useDroppedFiles(review && isElsewhere, (files) => {
    wishes.files = files;
    goTo({ page: 'create', kind: null });
  });
  return isOver ? <p class="drop-anywhere">{t.create.dropAnywhere}</p> : null;
}

const targets: readonly (readonly [
  'missions' | 'create' | 'payments' | 'journal' | 'tools' | 'approvers' | 'doctor',
  Route,
  readonly Route['page'][],
])[] = [
  ['missions', { page: 'missions', filters: noFilters }, ['missions', 'mission']],
  ['create', { page: 'create', kind: null }, ['create']],
  ['payments', { page: 'payments', cursor: null }, ['payments']],
  ['journal', { page: 'journal', before: null, filters: noJournalFilters }, ['journal']],
  ['tools', { page: 'tools' }, ['tools', 'tool']],
  ['approvers', { page: 'approvers' }, ['approvers']],
  ['doctor', { page: 'doctor' }, ['doctor']],
];

interface FramedProps {
  /** The agent does not respond. */
  readonly away: boolean;
  readonly lookNow: () => void;
  readonly leave: () => void;
}

/** The header: navigation, the state of the agent and of the connection, and the signed-in actor. */
function Framed({ away, lookNow, leave }: FramedProps) {
  const { t } = useWords();
  const { feed, status } = useSession();
  const { review } = useRights();
  const route = useRoute();
  const pages = targets
    .filter(([name]) => name !== 'create' || review)
    .map(([name, target, of]) => ({
      href: hrefOf(target),
      isCurrent: of.includes(route.page),
      name: name === 'missions' ? <MissionsName /> : t.shell.pages[name],
    }));
  return (
    <Frame
      brand={status.name}
      home={hrefOf({ page: 'missions', filters: noFilters })}
      feed={feed}
      isAway={away}
      feedHint={t.shell.feedHint}
      pages={pages}
      leave={leave}
      beside={<Control />}
      who={<Who />}
      banners={<Banners away={away} lookNow={lookNow} />}
    >
      <Page route={route} />
    </Frame>
  );
}

function MissionsName() {
  const { t, f } = useWords();
  const waiting = useSession().status.counts.review;
  return (
    <>
      {t.shell.pages.missions}
      {waiting > 0 && (
        <span class="count badge tone-warn">
          {f.number(waiting)}
          <span class="sr-only"> {t.states.review}</span>
        </span>
      )}
    </>
  );
}

function Who() {
  const { t } = useWords();
  const { name: token, role, approver } = useSession().status.actor;
  const name = approver === undefined ? token : t.shell.actsFor(token, approver);
  return (
    <span class="who">
      <span class="sr-only">{t.shell.actingAs(name, t.shell.access[role])}</span>
      <span aria-hidden="true">
        {name} · {t.shell.access[role]}
      </span>
    </span>
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
    <div class="control flow">
      <span class={`badge control-${status.control}`}>{text.shell.control[status.control]}</span>
      {administer && (
        <Button
          class="small"
          onClick={change}
          disabled={busy}
          title={paused ? text.shell.controlHint.resume : text.shell.controlHint.pause}
          text={paused ? text.shell.control.resume : text.shell.control.pause}
        />
      )}
      {problem !== null && <ProblemBox title={paused ? text.failed.resume : text.failed.pause} problem={problem} />}
    </div>
  );
}

function Banners({ away, lookNow }: Omit<FramedProps, 'leave'>) {
  const { k, t: text } = useWords();
  const { status } = useSession();
  const bad = [
    ...(status.journal.valid === false ? [text.shell.journalBad] : []),
    ...(status.config.valid ? [] : [text.shell.configBad]),
    ...(status.unwritable === undefined ? [] : [text.shell.readOnly]),
  ];
  return (
    <div class="banners">
      {away && (
        <div class="banner banner-bad banner-away flow" role="alert">
          <p>{text.shell.away}</p>
          <Button class="small" onClick={lookNow} text={k.retry} />
        </div>
      )}
      {status.control === 'paused' && (
        <p class="banner banner-paused" role="status">
          {text.shell.pausedBanner}
        </p>
      )}
      {bad.map((said) => (
        <p key={said} class="banner banner-bad" role="alert">
          {said} <a href="#/doctor">{text.shell.seeDoctor}</a>
        </p>
      ))}
    </div>
  );
}

/** The page that the address names. */
function Page({ route }: { readonly route: Route }) {
  const { t } = useWords();
  switch (route.page) {
    case 'missions':
      return <ListPage filters={route.filters} />;
    case 'mission':
      return <MissionPage key={route.id} id={route.id} />;
    case 'create':
      return <CreatePage key={route.from ?? ''} kind={route.kind} from={route.from ?? null} />;
    case 'journal':
      return <JournalPage before={route.before} filters={route.filters} />;
    case 'payments':
      return <PaymentsPage cursor={route.cursor} />;
    case 'approvers':
      return <ApproversPage />;
    case 'doctor':
      return <DoctorPage />;
    case 'tools':
      return <ToolsPage />;
    case 'tool':
      return <ToolPage key={route.id} id={route.id} />;
    case 'unknown':
      return <NotFound path={route.path} href="#/missions" text={t.shell.toMissions} />;
  }
}

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
  const acts: Readonly<Record<string, () => void>> = { '/': search, j: () => move(1), k: () => move(-1), '?': show };
  const press = (event: KeyboardEvent): void => {
    const act = acts[event.key];
    if (act === undefined || !isFree(event)) return;
    event.preventDefault();
    act();
  };
  useWindow('keydown', press, isOn);
}

/** The foot of every page, where the keys are told. */
function Shortcuts() {
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
      <Button class="small quiet" onClick={() => setShown(true)} text={t.shell.keys.title} />
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
      <Check text={use} checked={isOn} set={setOn} />
      <p class="help">{where}</p>
    </Dialog>
  );
}
