/** A modal dialog: focus stays inside, Esc closes it, and focus returns to where it was. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useText } from '../text/context.js';
import { SpokenNews } from './announce.js';
import { Button } from './inputs.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const { k } = useText();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class={wide ? 'wide' : ''} aria-labelledby={id} onCancel={cancel}>
      <div class="title-row">
        <h2 id={id} tabIndex={-1} autofocus>
          {title}
        </h2>
        <Button class="quiet small" onClick={onClose} text={k.close} />
      </div>
      {children}
      <SpokenNews />
    </dialog>
  );
}
