/** What several kinds of results say. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { explanations } from '../../../../kinds/explained.js';
import type { Bound } from '../../../../reports/kinds/shared.js';
import { Explained, type Figure } from '../../../kit/controls/pieces.js';
import { Bar, DataTable } from '../../../kit/controls/tables.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

/** What the engine says that its result does not mean, in its own words. */
export function Limits({ limits }: { readonly limits: string | readonly string[] }) {
  const { t } = useWordsOf(words);
  const all = typeof limits === 'string' ? [limits] : limits;
  if (all.length === 0) return null;
  return (
    <div class="limits">
      <h3>{t.limits}</h3>
      <ul lang="en">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

interface TitledProps extends Omit<ComponentProps<typeof DataTable>, 'label'> {
  readonly title: string;
  /** What the word of the title means. */
  readonly means?: string;
}

/** A table below its title. */
export const TitledTable = ({ title, means, ...table }: TitledProps) => (
  <>
    <h3>
      <Explained means={means}>{title}</Explained>
    </h3>
    <DataTable label={title} {...table} />
  </>
);

interface ShareProps {
  readonly name: ComponentChildren;
  /** The length of the bar, 0 to 1; null without a whole to compare with. */
  readonly share: number | null;
  readonly tone?: string;
  readonly children: ComponentChildren;
}

/** A share of one as a bar, between its name and what it is in words. */
export const Against = ({ name, share, tone = '', children }: ShareProps) => (
  <div class="against">
    <span class="against-name">{name}</span>
    {share !== null && <Bar share={share} tone={tone} />}
    <span class="against-text">{children}</span>
  </div>
);

interface ShownBound extends Bound {
  /** Whether the result lies above the bound. */
  readonly above: boolean;
}

/** How good the result is known to be, as a figure: the bound and the distance from it, and whether only another run can confirm it. */
export function useProofFigure(): (proven: 'bound' | 'search' | false, bound: ShownBound) => Figure {
  const { k, t, f, language } = useWordsOf(words);
  const { gap: gapMeans, ...means } = explanations[language];
  return (proven, { name, value, gap, above }) => {
    if (proven === 'bound') return [t.optimality, t.proven, t.noGap, gapMeans];
    const distance = above ? t.gapAbove(f.percent(gap)) : t.gap(f.percent(gap));
    if (proven === 'search') return [t.optimality, t.bySearch, t.notCertified + k.semicolon + distance, gapMeans];
    return [name, f.number(value), distance, `${above ? means['lower bound'] : means.bound} ${gapMeans}`];
  };
}
