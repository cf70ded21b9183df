// Makes columns of the fixed scenarios when the page is built, so that a visit does not need what reads their descriptions.
import { columnsOf, loadText } from 'stowage';
import type { Plugin } from 'vite';
import { SCENARIOS } from '../src/desk/scenarios.js';

const NAME = 'virtual:scenarios';

/** An expression with the value; of what is undefined, with nothing. */
function expression(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}.of(${(value as Float64Array).join()})`;
  if (Array.isArray(value)) return `[${value.map(expression).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${expression(one)}`).join()}}`;
}

export const scenarios: Plugin = {
  name: 'scenarios',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  async load(id) {
    if (id !== `\0${NAME}`) return undefined;
    await loadText();
    const made = Object.fromEntries(Object.entries(SCENARIOS).map(([name, describe]) => [name, columnsOf(describe())]));
    return `export const scenarios = ${expression(made)};`;
  },
};
