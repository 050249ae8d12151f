/** The subjects on which homes and workers exchange messages. */

/** Names of a job: the release of the engines that can compute it, the task that it belongs to, and its own name in the task. */
export interface JobName {
  readonly release: string;
  readonly task: string;
  readonly name: string;
}

export const subjects = {
  /** Messages of workers about themselves. */
  beats: 'agent.workers',
  /** Asks every worker for such a message. */
  call: 'agent.call',
  /** The name of a task whose jobs nobody waits for any more. */
  ended: 'agent.ended',
} as const;

export const subjectOf = ({ release, task, name }: JobName): string => `agent.jobs.${release}.${task}.${name}`;
export const resultSubject = ({ task, name }: Pick<JobName, 'task' | 'name'>): string => `agent.results.${task}.${name}`;
