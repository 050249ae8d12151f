/** Short news of what just happened, for eyes and for screen readers. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';

const shown_ms = 6_000;
const Context = createContext<(text: string) => void>(() => undefined);
const NewsContext = createContext<string | null>(null);
export const useAnnounce = (): ((text: string) => void) => useContext(Context);

/** The news for screen readers inside a modal dialog, which leave out everything around it. */
export const SpokenNews = () => (
  <p class="sr-only" role="status">
    {useContext(NewsContext)}
  </p>
);

export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [news, setNews] = useState<{ readonly text: string } | null>(null);
  const say = useCallback((text: string) => setNews({ text }), []);
  useEffect(() => {
    if (news === null) return undefined;
    const timer = setTimeout(() => setNews(null), shown_ms);
    return () => clearTimeout(timer);
  }, [news]);
  return (
    <Context.Provider value={say}>
      <NewsContext.Provider value={news?.text ?? null}>{children}</NewsContext.Provider>
      <div class="toast" role="status">
        {news !== null && <p>{news.text}</p>}
      </div>
    </Context.Provider>
  );
}
