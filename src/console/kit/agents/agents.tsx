/** The seven agents and the workers of queues, as tables. */
import type { WorkerState } from '../../../codec/jobs.js';
import { Badge, Mono } from '../controls/pieces.js';
import { DataTable } from '../controls/tables.js';
import { useText } from '../text/context.js';
import { agentStates } from './states.js';

const Health = ({ isGood, text }: { readonly isGood: boolean; readonly text: string }) => (
  <Badge tone={isGood ? 'completed' : 'failed'} mark={isGood ? '✓' : '!'} text={text} />
);

/** @param at the time of the response, in milliseconds since the epoch */
export function AgentsTable({ agents, at }: { readonly agents: Parameters<typeof agentStates>[0]; readonly at: number }) {
  const { k, f } = useText();
  const words = k.agents;
  return (
    <DataTable
      isPlain
      stacks
      label={words.title}
      head={[words.agent, words.state, words.beat, words.restarts]}
      texts={[0, 1]}
      rows={agentStates(agents, at).map(({ name, age_s, isSilent, restarts }) => [
        k.roles[name] ?? name,
        <Health isGood={!isSilent} text={isSilent ? words.silent : words.beats} />,
        words.age(f.number(age_s)),
        f.number(restarts),
      ])}
    />
  );
}

/** The workers of queues as a table; nothing while no queue is in use. */
const good: readonly WorkerState['state'][] = ['idle', 'working'];

/** @param at the time of the response, in milliseconds since the epoch */
export function WorkersSection({ workers, at }: { readonly workers: readonly WorkerState[] | undefined; readonly at: number }) {
  const { k, f } = useText();
  const words = k.workers;
  if (workers === undefined) return null;
  return (
    <section class="workers">
      <h2>{words.title}</h2>
      <p class="help">{workers.length === 0 ? words.none : words.lead}</p>
      {workers.length > 0 && (
        <DataTable
          isPlain
          stacks
          label={words.title}
          head={[words.key, words.state, words.version, words.heard, words.done]}
          texts={[0, 1, 2]}
          rows={workers.map(({ key, state, version, last_beat, done }) => [
            <Mono>{key}</Mono>,
            <Health isGood={good.includes(state)} text={words.states[state]} />,
            version,
            k.agents.age(f.number(Math.max(0, Math.round(at / 1000 - last_beat)))),
            f.number(done),
          ])}
        />
      )}
    </section>
  );
}
