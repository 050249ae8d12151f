/** The table of a form in the browser: its cells, counted from 0, and what is typed, pasted and dropped. */
import type { Locator, Page } from 'playwright-core';

export const cell = (page: Page, row: number, col: number): Locator =>
  page.locator(`.grid [aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${col + 2}"] input`);

/** The texts of the rows that are in the page. */
export const cellTexts = (page: Page): Promise<string[][]> =>
  page.evaluate(`[...document.querySelectorAll('.grid-body [role=row]')].map((row) =>
    [...row.querySelectorAll('input')].map(({ value }) => value))`);

/** Types a text in place of a cell's. */
export const typeCell = (page: Page, row: number, col: number, text: string): Promise<void> => cell(page, row, col).fill(text);

/** Pastes texts of a clipboard, by their types, where the focus is. */
export const paste = (page: Page, types: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate(`{
    const data = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(types)})) data.setData(type, text);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }`);

/** Drops files on the page, as from a folder. */
export async function drop(page: Page, files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Promise<void> {
  const dropped = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await page.evaluate(`{
    const data = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(dropped)})
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }`);
}

/** Where the focus is: the row and the column of a cell, or null. */
export const focusedCell = (page: Page): Promise<readonly [number, number] | null> =>
  page.evaluate(`{
    const cell = document.activeElement.closest('[role=gridcell]');
    cell === null ? null : [cell.parentElement.ariaRowIndex - 2, cell.ariaColIndex - 2];
  }`);
