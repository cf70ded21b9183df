// The library stowage_text: JSON that people write, and explanations in words. It works on bytes alone, and is a module of its own
// that is loaded on demand.
import { Memory, instantiate, limitValues, type CommonExports, type Limits } from './abi.js';
import { compiledModule, unavailable, type LoadOptions } from './compile.js';
import { converting } from './encoder.js';
import { StowageError, invalid, wellFormed } from './errors.js';
import type { Steps } from './watch.js';

/** The functions of stowage_text.h. They take buffers, numbers, limits, and where to put the result and the error. */
type TextFunction =
  | 'stowage_instance_from_json'
  | 'stowage_instance_to_json'
  | 'stowage_plan_from_json'
  | 'stowage_plan_to_json'
  | 'stowage_operations_from_json'
  | 'stowage_plan_to_text'
  | 'stowage_plan_to_html'
  | 'stowage_plan_to_svg'
  | 'stowage_explanation_to_text';

type Exports = CommonExports & Readonly<Record<TextFunction, (...given: number[]) => number>>;

class TextModule extends Memory<Exports> {
  static async create(compiled: WebAssembly.Module): Promise<TextModule> {
    return new TextModule(await instantiate<Exports>(compiled, () => undefined));
  }

  run(
    name: TextFunction, buffers: readonly Uint8Array[], numbers: readonly number[], limits: Limits | undefined,
  ): Uint8Array {
    const accepted = limits && limitValues(limits);
    const withAll = ([first, ...rest]: readonly Uint8Array[], given: readonly number[]): Uint8Array => {
      if (first !== undefined) return this.withBytes(first, (pointer, size) => withAll(rest, [...given, pointer, size]));
      const within = accepted === undefined ? 0 : this.writeLimits(accepted);
      this.check(this.exports[name](...given, ...numbers, within, this.out, this.error));
      return this.takeBuffer();
    };
    try {
      return withAll(buffers, []);
    } catch (error) {
      throw this.failureOf(error);
    }
  }
}

/** The part on this thread. */
let loaded: TextModule | undefined;

/**
 * Loads the part of the package that reads and writes text onto this thread: instances, plans and operations as JSON, and
 * explanations in words. The functions that need it are synchronous then, here and in `Stowage`. Workers load it by themselves.
 */
export async function loadText(options: LoadOptions = {}): Promise<void> {
  if (loaded !== undefined && !loaded.hasEnded) return;
  const compiled = await compiledModule('stowage-text.wasm', options);
  try {
    loaded = await TextModule.create(compiled);
  } catch (cause) {
    throw unavailable('stowage-text.wasm', 'started', cause);
  }
}

/** The result of a function of the part. It cannot be ended while it runs; whether it is to end is looked at before and after. */
export function ofText(
  name: TextFunction, buffers: readonly Uint8Array[], steps: Steps, limits?: Limits, numbers: readonly number[] = [],
): Uint8Array {
  if (loaded === undefined) {
    throw new StowageError('UNAVAILABLE', 'JSON and words are a part of their own: call loadText() on this thread before');
  }
  steps.step();
  const result = loaded.run(name, buffers, numbers, limits);
  steps.step(result.length);
  return result;
}

/** JSON in UTF-8: a text as it is, or the text of a value, in which columns are lists. */
export function jsonBytes(value: unknown, what: string, steps: Steps): Uint8Array {
  return new TextEncoder().encode(jsonOf(value, what, steps));
}

export function jsonOf(value: unknown, what: string, steps: Steps): string {
  if (typeof value === 'string') return wellFormed(value, () => '');
  const json = converting(what, steps, () => JSON.stringify(value, (_, one: unknown) => {
    steps.step();
    return ArrayBuffer.isView(one) ? Array.from(one as Float64Array) : one;
  }) as string | undefined);
  if (json === undefined) throw invalid('', `not ${what}`);
  return json;
}

/** Engines limit strings to this number of characters, or to more. */
const LONGEST_TEXT = 2 ** 29 - 24;

export function textIn(utf8: Uint8Array): string {
  if (utf8.length > LONGEST_TEXT) throw new StowageError('LIMIT_EXCEEDED', 'the text is too long for a string');
  return new TextDecoder().decode(utf8);
}
