import type { Limits } from './abi.js';
import { writeInstance, type InstanceColumns } from './columns.js';
import { readDescription, writeDescription, type InstanceDescription } from './description.js';
import { StowageError } from './errors.js';
import { Steps, type CallOptions } from './watch.js';

/**
 * An instance as objects with names or as their JSON, both of which need `loadText` where it is not a worker that reads them; as columns;
 * or as the bytes of a `.stow` file.
 */
export type InstanceSource = InstanceDescription | InstanceColumns | Uint8Array | ArrayBuffer | string;

/** Whether the library stowage_text has to read it. */
export function isDescribed(source: InstanceSource): source is InstanceDescription | string {
  if (typeof source === 'string') return true;
  return typeof source === 'object' && source !== null && ('stowage' in source || Array.isArray((source as { apps?: unknown }).apps));
}

/** The bytes of an instance, in whichever form it is given. */
export function instanceBytes(source: InstanceSource, options: CallOptions = {}): Uint8Array {
  return bytesOfSource(source, new Steps(options));
}

export function bytesOfSource(source: InstanceSource, steps: Steps, limits?: Limits): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (isDescribed(source)) return readDescription(source, steps, limits);
  if (typeof source !== 'object' || source === null) throw new StowageError('INVALID', 'an instance is an object, JSON or bytes');
  return writeInstance(source, steps);
}

/** The JSON of an instance, as the command line writes it. Needs `loadText`. */
export function instanceToJson(source: InstanceSource, options: CallOptions = {}): string {
  const steps = new Steps(options);
  return writeDescription(bytesOfSource(source, steps), steps);
}
