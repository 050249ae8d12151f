/** A new mission, by form or by file. */
import { useState } from 'preact/hooks';
import type { Kind } from '../../../codec/kinds.js';
import { PageTitle } from '../../kit/controls/pieces.js';
import { useRights } from '../session/session.js';
import { useWords } from '../text/words.js';
import { ByFile } from './by-file.js';
import { ByForm } from './by-form.js';

export function CreatePage({ kind }: { readonly kind: Kind | null }) {
  const { t } = useWords();
  const { review } = useRights();
  const [way, setWay] = useState<'form' | 'file'>('form');
  if (!review)
    return (
      <>
        <PageTitle title={t.create.title} />
        <p class="notice">{t.review.viewer}</p>
      </>
    );
  return (
    <>
      <PageTitle title={t.create.title} />
      <p class="lead">{t.create.lead}</p>
      <div class="segmented" role="group" aria-label={t.create.how}>
        <button type="button" aria-pressed={way === 'form'} onClick={() => setWay('form')}>
          {t.create.byForm}
        </button>
        <button type="button" aria-pressed={way === 'file'} onClick={() => setWay('file')}>
          {t.create.byFile}
        </button>
      </div>
      {way === 'form' ? <ByForm kind={kind ?? 'research'} /> : <ByFile />}
    </>
  );
}
