/**
 * Shows what others wrote as what it is, on every page and wherever it is used: a hook into the making of elements, so that no page can
 * forget it. In a text, each character that is not seen or that changes what is seen becomes a mark with its code point, and a text
 * that is written from right to left is isolated, so that it orders nothing around it. Attributes, menus and titles get the code
 * point in angle brackets.
 */
import { type ComponentChild, type ComponentChildren, Fragment, options, type VNode } from 'preact';
import { type Point, type Run, shownOf, shownText } from '../../../base/shown.js';
import { useText } from './context.js';

/** Attributes whose text people read or hear. */
const readAttributes = ['title', 'alt', 'label', 'placeholder', 'aria-label', 'aria-description', 'aria-valuetext', 'data-label'];
/** Elements that hold nothing but text, of pages and of drawings. */
const plainElements = new Set(['option', 'textarea', 'title', 'desc', 'tspan']);
/** Elements that hold code and documents. */
const codeElements = new Set(['pre', 'code']);

function Mark({ name, kind }: Point) {
  const { k } = useText();
  return (
    <mark class="point" dir="ltr" title={k.points[kind]}>
      {name}
    </mark>
  );
}

function partShown(part: string | Point | Run): ComponentChild {
  if (typeof part === 'string') return part;
  return 'run' in part ? <bdi>{part.run}</bdi> : <Mark {...part} />;
}

/** Returns the same for a drawing, which has no such elements. */
function partDrawn(part: string | Point | Run): ComponentChild {
  if (typeof part === 'string') return part;
  return 'run' in part ? <tspan unicode-bidi="isolate">{part.run}</tspan> : `<${part.name}>`;
}

/** Returns what an element of a type has in place of a text. */
function textShown(text: string, type: string): ComponentChildren {
  if (plainElements.has(type)) return shownText(text);
  const shown = shownOf(text, codeElements.has(type));
  if (shown === null) return text;
  if (type === 'text') return shown.parts.map(partDrawn);
  return <bdi dir={shown.direction}>{shown.parts.map(partShown)}</bdi>;
}

const childrenShown = (children: ComponentChildren, type: string): ComponentChildren => {
  if (type === 'bdi') return children;
  if (typeof children === 'string') return textShown(children, type);
  return Array.isArray(children) ? children.map((child: ComponentChildren) => childrenShown(child, type)) : children;
};

/** Makes every element show its texts and attributes so. */
export function showEverything(): void {
  options.vnode = ({ type, props }: VNode<Record<string, unknown>>) => {
    const name = type === Fragment ? '' : type;
    if (typeof name !== 'string') return;
    if ('children' in props) props['children'] = childrenShown(props.children, name);
    for (const attribute of readAttributes) {
      const text = props[attribute];
      if (typeof text === 'string') props[attribute] = shownText(text);
    }
  };
}
