/** A form that sends one request: its fields with their faults, why it failed, and its button. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isNote } from '../../../base/text.js';
import type { Problem } from '../api/client.js';
import { Button, Form, NoteField } from '../controls/inputs.js';
import { ProblemBox } from '../controls/pieces.js';
import { FaultsContext } from './fields.js';
import { useKeptState } from './kept.js';

interface RequestProps {
  readonly class?: string;
  readonly task: { readonly busy: boolean; readonly problem: Problem | null };
  /** What could not be done when the request is refused. */
  readonly failed: string;
  readonly submit: () => void;
  /** What the button says, and how it looks. */
  readonly text: string;
  readonly tone?: string;
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
  /** Shown beside the button. */
  readonly beside?: ComponentChildren;
  /** Shown below it. */
  readonly below?: ComponentChildren;
}

export const RequestForm = ({ task, failed, text, tone = 'primary', isReady = true, children, ...rest }: RequestProps) => (
  <Form class={rest.class ?? ''} submit={rest.submit}>
    <FaultsContext.Provider value={task.problem?.document.errors ?? []}>{children}</FaultsContext.Provider>
    {task.problem !== null && <ProblemBox title={failed} problem={task.problem} />}
    <div class="actions">
      <Button type="submit" class={tone} disabled={task.busy || !isReady} text={text} />
      {rest.beside}
    </div>
    {rest.below}
  </Form>
);

interface ReasonProps {
  readonly id: string;
  /** What it is about, and who gives it. */
  readonly from: string;
  readonly label: string;
  readonly hint: string;
  /** What is said of a reason that is not given, or is too long. */
  readonly missing: string;
  readonly chars_max?: number;
}

/** The reason that somebody gives for what they do: its text, its field, and a check that says at the field what is wrong. */
export function useReason({ id, from, label, hint, missing, chars_max = Infinity }: ReasonProps) {
  const { form, set, forget } = useKeptState(from, { reason: '' });
  const { reason } = form;
  const [fault, setFault] = useState('');
  const isGiven = (): boolean => {
    const isGood = isNote(reason, chars_max);
    setFault(isGood ? '' : missing);
    if (!isGood) document.getElementById(id)?.focus();
    return isGood;
  };
  const field = (
    <NoteField id={id} label={label} hint={hint} rows={2} value={reason} set={(text) => set({ reason: text })} fault={fault} />
  );
  return { reason, field, isGiven, forget };
}
