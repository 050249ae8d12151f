/** A table pasted from a spreadsheet in place of typing rows: read as a whole, or refused with every fault by row and column. */
import { useId, useState } from 'preact/hooks';
import { useAnnounce } from '../controls/announce.js';
import { Button } from '../controls/inputs.js';
import { LazyDetails } from '../controls/pieces.js';
import { useText } from '../text/context.js';
import type { SheetFault, SheetWords } from './sheet.js';

/** Faults that are listed; the others are counted. */
const listed_faults = 20;

interface PasteSheetProps {
  /** Which columns the table has. */
  readonly hint: string;
  /** Takes the text, and returns its faults or how many rows it took. */
  readonly take: (text: string, words: SheetWords) => number | readonly SheetFault[];
}

export function PasteSheet({ hint, take }: PasteSheetProps) {
  const { k } = useText();
  return <LazyDetails title={k.sheet.title}>{() => <Paste hint={hint} take={take} />}</LazyDetails>;
}

function Paste({ hint, take }: PasteSheetProps) {
  const { k, f } = useText();
  const announce = useAnnounce();
  const id = useId();
  const [text, setText] = useState('');
  const [faults, setFaults] = useState<readonly SheetFault[]>([]);
  const read = (): void => {
    const taken = take(text, k.sheet.words);
    setFaults(typeof taken === 'number' ? [] : taken);
    if (typeof taken !== 'number') return;
    setText('');
    announce(k.sheet.taken(f.number(taken)));
  };
  return (
    <div class="field">
      <label for={id}>{k.sheet.label}</label>
      <textarea
        id={id}
        class="mono-input"
        rows={5}
        value={text}
        aria-describedby={`${id}-hint ${id}-faults`}
        aria-invalid={faults.length > 0}
        onInput={(event) => (setFaults([]), setText(event.currentTarget.value))}
      />
      <p id={`${id}-hint`} class="help">
        {hint} {k.sheet.hint}
      </p>
      <div id={`${id}-faults`} role="alert">
        {faults.length > 0 && (
          <div class="problem">
            <p class="problem-title">{k.sheet.refused}</p>
            <ul>
              {faults.slice(0, listed_faults).map(({ row, column, message }) => (
                <li key={`${String(row)} ${String(column)} ${message}`}>
                  {row !== null && <strong>{column === null ? k.sheet.row(row) : k.sheet.cell(row, column)}: </strong>}
                  {message}
                </li>
              ))}
            </ul>
            {faults.length > listed_faults && <p>{k.sheet.more(f.number(faults.length - listed_faults))}</p>}
          </div>
        )}
      </div>
      <Button class="small" disabled={text.trim() === ''} onClick={read} text={k.sheet.read} />
    </div>
  );
}
