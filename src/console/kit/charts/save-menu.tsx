/** Saves a chart as a file: as SVG, or as PNG in twice the size of the screen's pixels. */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useAnnounce } from '../controls/announce.js';
import { saveBlob } from '../controls/download.js';
import { useText } from '../text/context.js';
import { pictureOf, pngOf } from './picture.js';

interface SaveMenuProps {
  readonly title: string;
  readonly figure: RefObject<HTMLElement | null>;
}

/** Returns the name of a chart's file. */
export const fileNameOf = (title: string, type: string): string =>
  `${
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'chart'
  }.${type}`;

export function SaveMenu({ title, figure }: SaveMenuProps) {
  const { k } = useText();
  const announce = useAnnounce();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    menu.current?.removeAttribute('open');
    menu.current?.querySelector('summary')?.focus();
  };
  const save = async (type: 'svg' | 'png'): Promise<void> => {
    if (figure.current === null) return;
    const picture = pictureOf(figure.current, title);
    close();
    const blob = type === 'svg' ? new Blob([picture.text], { type: 'image/svg+xml' }) : await pngOf(picture);
    if (blob === null) announce(k.saveChart.failed);
    else saveBlob(blob, fileNameOf(title, type));
  };
  return (
    <details
      class="save-menu"
      ref={menu}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onFocusOut={({ relatedTarget }) =>
        relatedTarget instanceof Node && menu.current?.contains(relatedTarget) !== true && menu.current?.removeAttribute('open')
      }
    >
      <summary>
        {k.saveChart.title}
        <span class="sr-only">: {title}</span>
      </summary>
      <div class="save-choices">
        <button type="button" class="small" onClick={() => void save('svg')}>
          {k.saveChart.svg}
        </button>
        <button type="button" class="small" onClick={() => void save('png')}>
          {k.saveChart.png}
        </button>
      </div>
    </details>
  );
}
