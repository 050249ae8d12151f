/** Beside every result: what it is and what it is not. */
import { useWords } from '../text/words.js';

export function Caveat() {
  const { t } = useWords();
  return (
    <p class="notice notice-warn caveat" role="note">
      <strong>{t.shell.caveatTitle}</strong> {t.shell.caveat}
    </p>
  );
}
