/** The figures that matter most, big. */

/** A big figure with its name and a line below. */
export function Figures({
  figures,
}: {
  readonly figures: readonly (readonly [name: string, value: string, below?: string] | null)[];
}) {
  return (
    <dl class="figures">
      {figures.map(
        (figure) =>
          figure !== null && (
            <div key={figure[0]}>
              <dt>{figure[0]}</dt>
              <dd>
                <span class="figure-value">{figure[1]}</span>
                {figure[2] !== undefined && <span class="figure-below">{figure[2]}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
