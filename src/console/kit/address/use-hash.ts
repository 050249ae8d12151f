/** The part of the page's address after `#`, kept up to date. */
import { useEffect, useState } from 'preact/hooks';

export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    read();
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash;
}
