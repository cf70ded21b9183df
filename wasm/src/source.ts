import { writeInstance, type InstanceColumns } from './columns.js';
import { readDescription, type InstanceDescription } from './description.js';
import { StowageError } from './errors.js';
import { Steps, type CallOptions } from './watch.js';

/** An instance as objects with names, as columns, or as the bytes of a `.stow` file. */
export type InstanceSource = InstanceDescription | InstanceColumns | Uint8Array | ArrayBuffer;

/** The bytes of an instance, in whichever form it is given. */
export function instanceBytes(source: InstanceSource, options: CallOptions = {}): Uint8Array {
  return bytesOfSource(source, new Steps(options));
}

export function bytesOfSource(source: InstanceSource, steps: Steps): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (typeof source !== 'object' || source === null) throw new StowageError('INVALID', 'an instance is an object or bytes');
  const isDescription = 'stowage' in source || Array.isArray(source.apps);
  return writeInstance(isDescription ? readDescription(source as InstanceDescription, steps) : (source as InstanceColumns), steps);
}
