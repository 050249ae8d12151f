/** A chart with its title, its picture as wide as there is room, a slider that reads its values, and the same as a table. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { LazyDetails } from '../controls/lazy-details.js';
import { useText } from '../text/context.js';
import { SaveMenu } from './save-menu.js';
import { useWidth } from './use-width.js';

interface FigureProps {
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly alt: string;
  readonly height: (width: number) => number;
  readonly children: (width: number) => ComponentChildren;
  /** The slider that reads the values of a chart of this width. */
  readonly reader?: (width: number) => ComponentChildren;
  readonly legend?: ComponentChildren;
  readonly controls?: ComponentChildren;
  readonly table: () => ComponentChildren;
  /** What belongs to the chart and follows its table. */
  readonly below?: ComponentChildren;
}

export function Figure({ title, alt, height, children, reader, legend, controls, table, below }: FigureProps) {
  const { k } = useText();
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const id = useId();
  return (
    <figure class="chart" ref={figure}>
      <figcaption id={id}>
        <h3>{title}</h3>
        <div class="chart-controls" data-screen-only>
          {controls}
          <SaveMenu title={title} figure={figure} />
        </div>
      </figcaption>
      <div ref={ref} class="chart-room">
        {width > 0 && (
          <svg role="img" aria-label={alt} width={width} height={height(width)} viewBox={`0 0 ${width} ${height(width)}`}>
            {children(width)}
          </svg>
        )}
      </div>
      {width > 0 && reader?.(width)}
      {legend}
      <LazyDetails title={k.showTable}>{table}</LazyDetails>
      {below !== undefined && <div data-screen-only>{below}</div>}
    </figure>
  );
}
