/** What a mission was read from: its files, and what a person changed afterwards. */
import { provenanceOf } from '../../../kinds/provenance.js';
import { LazyDetails, Mono } from '../../kit/controls/pieces.js';
import { DataTable } from '../../kit/controls/tables.js';
import { useWords } from '../text/words.js';

export function Files({ request }: { readonly request: unknown }) {
  const { t, f } = useWords();
  const origin = provenanceOf(request);
  if (origin === null) return null;
  const { files, changed = [] } = origin;
  const { title, file, sheet, rows, reader, unnamed, byHand, notes } = t.files;
  const noted = files.flatMap((each) => each.notes);
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        isPlain
        label={title}
        head={[file, sheet, rows, reader, 'SHA-256']}
        texts={[0, 1, 3, 4]}
        rows={files.map((each) => [
          each.name ?? unnamed,
          each.sheet ?? '–',
          each.rows === undefined ? '–' : f.number(each.rows),
          `${each.reader} ${each.version}`,
          <Mono>{each.sha256}</Mono>,
        ])}
      />
      {changed.length > 0 && (
        <p class="notice notice-warn">
          {byHand(f.number(changed.length))} <Mono>{changed.join(', ')}</Mono>
        </p>
      )}
      {noted.length > 0 && (
        <LazyDetails title={notes}>
          {() => (
            <ul lang="en">
              {noted.map((note, i) => (
                <li key={i}>{note}</li>
              ))}
            </ul>
          )}
        </LazyDetails>
      )}
    </>
  );
}
