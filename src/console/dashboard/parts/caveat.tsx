/** Beside every result: what it is and what it is not. */
import { useWords } from '../text/words.js';

export function Caveat() {
  const { d } = useWords();
  return (
    <p class="notice notice-warn caveat" role="note">
      <strong>{d.shell.caveatTitle}</strong> {d.shell.caveat}
    </p>
  );
}
