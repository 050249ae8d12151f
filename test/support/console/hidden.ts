/** A text that reads otherwise than it is written, and what a page shows of it. */
import type { Page } from 'playwright-core';

/** Bidi controls, a zero-width space, a filler, a tag, a C1 control, and letters from right to left before a digit. */
export const hostile = 'pay \u202e0001\u202c\u200b\u3164\u{e0041}\u0085 \u05d0\u05d1 2';

/** What a page shows of it. */
export const hostileShown = 'pay U+202E0001U+202CU+200BU+3164U+E0041U+0085 \u05d0\u05d1 2';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Returns the document with the hostile text before every string but those at the paths `without`. */
export function hostileIn(value: Json, without: readonly string[], path = ''): Json {
  if (typeof value === 'string') return without.includes(path) ? value : `${hostile} ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json, i) => hostileIn(each, without, `${path}[${i}]`));
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(
    members.map(([name, each]) => [name, hostileIn(each, without, path === '' ? name : `${path}.${name}`)]),
  );
}

/**
 * Returns what the page forgets: texts and attributes with characters that are not seen, and letters from right to left that are not isolated
 * from what is around them. Fields are left out: what is typed is the reader's own.
 */
export const forgotten = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const hidden = /[\\u202e\\u202c\\u200b\\u3164\\u{e0041}\\u0085]/u;
    const rightToLeft = /[\\u05d0\\u05d1]/;
    const found = hidden.test(document.title) ? ['title of the tab'] : [];
    const isIsolated = (element) => element.matches('bdi[dir=rtl]') || (element.matches('bdi, tspan[unicode-bidi]') && !/[0-9]/.test(element.textContent));
    const place = (element) => element.outerHTML.slice(0, 200);
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { data, parentElement } = node;
      if (parentElement.closest('script, style, textarea')) continue;
      if (hidden.test(data)) found.push('hidden in the text of ' + place(parentElement));
      if (rightToLeft.test(data) && !parentElement.closest('title, desc, option') && !isIsolated(parentElement)) found.push('not isolated in ' + place(parentElement));
    }
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if (name !== 'value' && hidden.test(value)) found.push('hidden in ' + name + ' of ' + place(element));
    return found;
  })()`);
