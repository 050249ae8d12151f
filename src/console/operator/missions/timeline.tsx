/** The seven recorded roles of a mission and what each noted. */
import type { Stage } from '../../../codec/record.js';
import { roles } from '../../../codec/roles.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { useWords } from '../text/words.js';

export function Timeline({ stages }: { readonly stages: readonly Stage[] }) {
  const { k, t, f } = useWords();
  const done = new Map(stages.map((stage) => [stage.role, stage]));
  return (
    <>
      {stages.length === 0 && <p class="muted">{t.mission.noStages}</p>}
      {stages.length > 0 && (
        <ol class="timeline">
          {roles.map((role) => {
            const stage = done.get(role);
            const name = k.roles[role] ?? role;
            if (stage === undefined)
              return (
                <li key={role} class="todo">
                  <span class="stage-name">{name}</span>
                </li>
              );
            return (
              <li key={role} class="done">
                <LazyDetails
                  title={
                    <>
                      <span class="stage-name">{name}</span> <time dateTime={stage.at}>{f.time(stage.at)}</time>
                    </>
                  }
                >
                  {() => <Detail detail={stage.detail} />}
                </LazyDetails>
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

/** What a stage noted, as recorded in the journal. */
function Detail({ detail }: { readonly detail: Stage['detail'] }) {
  return (
    <dl class="facts facts-wide" lang="en">
      {Object.entries(detail).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{Array.isArray(value) ? <List values={value} /> : textOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const List = ({ values }: { readonly values: readonly unknown[] }) => (
  <ul>
    {values.map((value, i) => (
      <li key={i}>{textOf(value)}</li>
    ))}
  </ul>
);
