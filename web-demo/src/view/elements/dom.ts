type Child = Node | string | undefined | false;
type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[Tag], 'style' | 'dataset'>> & {
  style?: string;
  /** Attributes that have no property. */
  set?: Record<string, string>;
};

/** An element. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  const { style, set, ...rest } = properties;
  Object.assign(element, rest);
  if (style !== undefined) element.style.cssText = style;
  for (const [name, value] of Object.entries(set ?? {})) element.setAttribute(name, value);
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`there is no #${id}`);
  return found as Element;
}

export function button(label: string, onclick: () => void, className = ''): HTMLButtonElement {
  return h('button', { type: 'button', textContent: label, onclick, className });
}

/** A control with its label above it. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLLabelElement {
  return h('label', { className: 'field' }, h('span', {}, label), control, hint !== undefined && h('small', {}, hint));
}

export function numberField(
  label: string,
  value: number | string,
  range: { min?: number; max?: number; step?: number | 'any' },
): { label: HTMLLabelElement; input: HTMLInputElement } {
  const { min = 0, max, step = 'any' } = range;
  const input = h('input', { type: 'number', min: String(min), step: String(step), value: String(value) });
  if (max !== undefined) input.max = String(max);
  return { label: field(label, input), input };
}

export function options<Value extends string>(
  select: HTMLSelectElement,
  list: readonly [Value, string][],
  chosen?: string,
): void {
  select.replaceChildren(...list.map(([value, text]) => h('option', { value, textContent: text, selected: value === chosen })));
}

/** A table with a row of headings. Numbers are right-aligned. */
export function table(
  head: readonly (string | Node)[],
  rows: readonly (readonly (string | number | Node)[])[],
  caption: string,
): HTMLElement {
  const cell = (content: string | number | Node): HTMLTableCellElement =>
    h(
      'td',
      { className: typeof content === 'number' ? 'number' : '' },
      typeof content === 'number' ? content.toLocaleString('en') : content,
    );
  return h(
    'div',
    { className: 'scroll', tabIndex: 0, set: { role: 'region', 'aria-label': caption } },
    h(
      'table',
      {},
      h('caption', { className: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...head.map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map(cell)))),
    ),
  );
}

export function download(bytes: Uint8Array, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Continues in a new task, after the events that are pending for the page. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
