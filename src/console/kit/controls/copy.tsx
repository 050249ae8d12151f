/** Copying text, also when the page is not a secure context and has no clipboard. */
import { useContext, useState } from 'preact/hooks';
import { shownText } from '../../../base/shown.js';
import { useText } from '../text/context.js';
import { CommandHome, useHomed } from './agent-cli.js';
import { useAnnounce } from './announce.js';

export async function copyText(text: string): Promise<boolean> {
  // A type says that it is always there; over plain HTTP on another host it is not.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused by the browser: the older way is tried.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  const before = document.activeElement;
  area.value = text;
  area.className = 'copy-area sr-only';
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

export function CopyButton({ text, label, what }: { readonly text: string; readonly label?: string; readonly what?: string }) {
  const { k } = useText();
  const announce = useAnnounce();
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    setDone(copied);
    announce(copied ? k.copied : k.notCopied);
  };
  const name = label ?? k.copy;
  return (
    <button type="button" class="small quiet" onClick={() => void copy()} onBlur={() => setDone(false)}>
      {done ? `✓ ${k.copied}` : name}
      {what !== undefined && <span class="sr-only"> {what}</span>}
    </button>
  );
}

/** The command that does what the page does; `inner` for a part of a page, which is not a landmark itself. */
export function CommandLine({ lines, inner = false }: { readonly lines: readonly string[]; readonly inner?: boolean }) {
  const { k } = useText();
  const homed = useHomed();
  const isHomeKnown = useContext(CommandHome) !== null;
  return (
    <div class="command" role={inner ? 'group' : 'complementary'} aria-label={k.sameByCommand}>
      <p class="fine">{k.sameByCommand}</p>
      {!inner && !isHomeKnown && <p class="help">{k.page.commandHome}</p>}
      {lines.map((line) => (
        <div class="title-row command-line" key={line}>
          <code>{homed(line)}</code>
          <CopyButton text={homed(line)} label={k.copyCommand} what={line} />
        </div>
      ))}
    </div>
  );
}

/** Returns the name of a chart's or a table's file. */
export const fileNameOf = (title: string, type: string): string =>
  `${
    shownText(title)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'chart'
  }.${type}`;

/** Gives a document to the browser as a file. */
export const saveJson = (value: unknown, name: string): void =>
  saveBlob(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }), name);

/** Gives bytes to the browser as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
