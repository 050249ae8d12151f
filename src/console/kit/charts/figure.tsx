/** A chart with its title, its picture as wide as there is room, and the same as a table. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { LazyDetails } from '../controls/lazy-details.js';
import { useText } from '../text/context.js';
import { useWidth } from './use-width.js';

interface FigureProps {
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly alt: string;
  readonly height: (width: number) => number;
  readonly children: (width: number) => ComponentChildren;
  readonly legend?: ComponentChildren;
  readonly controls?: ComponentChildren;
  readonly table: () => ComponentChildren;
  /** What belongs to the chart and follows its table. */
  readonly below?: ComponentChildren;
}

export function Figure({ title, alt, height, children, legend, controls, table, below }: FigureProps) {
  const { k } = useText();
  const [ref, width] = useWidth<HTMLDivElement>();
  const id = useId();
  return (
    <figure class="chart">
      <figcaption id={id}>
        <h3>{title}</h3>
        {controls}
      </figcaption>
      <div ref={ref} class="chart-room">
        {width > 0 && (
          <svg role="img" aria-label={alt} width={width} height={height(width)} viewBox={`0 0 ${width} ${height(width)}`}>
            {children(width)}
          </svg>
        )}
      </div>
      {legend}
      <LazyDetails title={k.showTable}>{table}</LazyDetails>
      {below}
    </figure>
  );
}
