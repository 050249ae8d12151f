/** Files that are dropped or pasted anywhere on a page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWindow } from '../../kit/load.js';

type Take = (files: readonly File[]) => void;

/** While files are dragged over the page, the browser says so more often than this. */
const dragged_ms = 400;

/** Takes dropped files, where `isOn`; returns whether files are being dragged over the page. */
export function useDroppedFiles(isOn: boolean, take: Take): boolean {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOver(false), dragged_ms);
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    take([...(event.dataTransfer?.files ?? [])]);
  };
  useWindow('dragover', over, isOn);
  useWindow('drop', drop, isOn);
  useEffect(() => () => clearTimeout(timer.current), []);
  return isOn && isOver;
}

/**
 * Returns what a clipboard holds as files: its files, else its table as HTML, which loses no cell, else its text. The name of a table has no ending:
 * one of HTML would make it a document for research.
 */
export function filesOfClipboard(data: DataTransfer, name: string): readonly File[] {
  if (data.files.length > 0) return [...data.files];
  const html = data.getData('text/html');
  if (/<table/i.test(html)) return [new File([html], name)];
  const text = data.getData('text/plain');
  return text.trim() === '' ? [] : [new File([text], `${name}.txt`)];
}

/** Takes what is pasted outside of fields, and what a table that is edited leaves. */
export function usePastedFiles(name: string, take: Take): void {
  useWindow('paste', (event) => {
    const { target } = event;
    const isField = target instanceof Element && target.matches('input, textarea, select') && target.closest('.grid') === null;
    const files = isField || event.clipboardData === null ? [] : filesOfClipboard(event.clipboardData, name);
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}
