/** The seven agents as a table: whether each responds, and how often it was restarted. */
import { DataTable } from '../charts/table.js';
import { useText } from '../text/context.js';
import { agentStates } from './states.js';

/** @param at the time of the response, in milliseconds since the epoch */
export function AgentsTable({ agents, at }: { readonly agents: Parameters<typeof agentStates>[0]; readonly at: number }) {
  const { k, f } = useText();
  const words = k.agents;
  return (
    <DataTable
      label={words.title}
      head={[words.agent, words.state, words.beat, words.restarts]}
      texts={[0, 1]}
      rows={agentStates(agents, at).map(({ name, age_s, isSilent, restarts }) => [
        k.roles[name] ?? name,
        <span class={isSilent ? 'badge badge-failed' : 'badge badge-completed'}>
          <span aria-hidden="true">{isSilent ? '!' : '✓'}</span> {isSilent ? words.silent : words.beats}
        </span>,
        words.age(f.number(age_s)),
        f.number(restarts),
      ])}
    />
  );
}
