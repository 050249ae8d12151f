/** What can be done to a file. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { chanceOf, withOtherByte } from './alter.js';

export type Act = (path: string) => void;

export const remove: Act = (path) => rmSync(path, { recursive: true });
export const empty: Act = (path) => truncateSync(path, 0);
export const halve: Act = (path) => truncateSync(path, Math.floor(statSync(path).size / 2));
export const cutTo =
  (size: number): Act =>
  (path) =>
    truncateSync(path, size);
export const write =
  (content: string | Uint8Array): Act =>
  (path) =>
    writeFileSync(path, content, { mode: 0o600 });
export const edit =
  (alter: (content: Buffer) => Buffer | string): Act =>
  (path) =>
    writeFileSync(path, alter(readFileSync(path)));
export const editText = (alter: (text: string) => string): Act => edit((content) => alter(content.toString()));
export const append = (more: Uint8Array): Act => edit((content) => Buffer.concat([content, more]));
/** Alters a byte that depends on the name alone. */
export const otherByte = (name: string): Act => edit((content) => withOtherByte(content, chanceOf(name)) as Buffer);
export const flipAt = (at: number): Act =>
  edit((content) => {
    content[at] = content[at]! ^ 1;
    return content;
  });
export const setMode =
  (mode: number): Act =>
  (path) =>
    chmodSync(path, mode);
export const makeDirectory: Act = (path) => {
  rmSync(path);
  mkdirSync(path, { mode: 0o700 });
};
