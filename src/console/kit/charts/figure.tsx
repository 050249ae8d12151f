/** A chart with its title, its picture as wide as there is room, a slider that reads its values, and the same as a table. */
import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../controls/announce.js';
import { fileNameOf, saveBlob } from '../controls/copy.js';
import { Button } from '../controls/inputs.js';
import { LazyDetails } from '../controls/pieces.js';
import { useText } from '../text/context.js';
import { Reader, type ReaderProps } from './cursor.js';
import { pictureOf, pngOf } from './picture.js';
import type { Room } from './plane.js';

export interface FigureProps {
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly alt: string;
  readonly height: (width: number) => number;
  /** A further CSS class. */
  readonly class?: string;
  /** A sentence above the picture. */
  readonly lead?: string;
  readonly children: (room: Room) => ComponentChildren;
  /** The slider that reads the values of a chart of this width. */
  readonly reader?: (width: number) => ReaderProps | null;
  readonly legend?: ComponentChildren | ((width: number) => ComponentChildren);
  readonly controls?: ComponentChildren;
  readonly table: () => ComponentChildren;
  /** What opens the table. */
  readonly tableTitle?: string;
  /** What belongs to the chart and follows its table. */
  readonly below?: ComponentChildren;
}

export function Figure(props: FigureProps) {
  const { k } = useText();
  const { title, alt, height, class: name = '', lead, children } = props;
  const { reader, legend, controls, table, tableTitle = k.showTable, below } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const room = { width, height: height(width) };
  const read = reader?.(width) ?? null;
  const figure = useRef<HTMLElement>(null);
  const id = useId();
  return (
    <figure class={`chart ${name}`.trimEnd()} ref={figure}>
      <figcaption id={id} class="title-row">
        <h3>{title}</h3>
        <div class="flow" data-screen-only>
          {controls}
          <SaveMenu title={title} figure={figure} />
        </div>
      </figcaption>
      {lead !== undefined && <p class="help">{lead}</p>}
      <div ref={ref} class="chart-room">
        {width > 0 && (
          <svg role="img" aria-label={alt} {...room} viewBox={`0 0 ${width} ${room.height}`}>
            {children(room)}
          </svg>
        )}
      </div>
      {width > 0 && read !== null && <Reader {...read} />}
      {typeof legend === 'function' ? width > 0 && legend(width) : legend}
      <LazyDetails title={tableTitle} prints>
        {table}
      </LazyDetails>
      {below !== undefined && <div data-screen-only>{below}</div>}
    </figure>
  );
}

/** Saves a chart as a file: as SVG, or as PNG in twice the size of the screen's pixels. */
function SaveMenu({ title, figure }: { readonly title: string; readonly figure: RefObject<HTMLElement | null> }) {
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
        <Button class="small" onClick={() => void save('svg')} text={k.saveChart.svg} />
        <Button class="small" onClick={() => void save('png')} text={k.saveChart.png} />
      </div>
    </details>
  );
}

/** The width that a chart has, in pixels, so that its text keeps its size on every screen. */
function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
