// The one door for bytes that this package reads itself: the library checks them first.
import { StowageError } from './errors.js';
import type { Kind, Module } from './module.js';
import { Steps, type CallOptions } from './watch.js';

/** Checks bytes on this thread. */
let checker: Module | undefined;

/** Whether this thread can read bytes. */
export const hasChecker = (): boolean => checker !== undefined && !checker.hasEnded;

/** States which module checks what this thread reads. */
export function checkWith(module: Module): void {
  checker = module;
}

/** The bytes at an address that is aligned for typed arrays; copied if necessary. */
function alignedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

/** The options for bytes that this package or the library has just made: they need no check. */
export const OWN: CallOptions = Object.freeze({});

/**
 * Reads bytes that the library has checked: they are a well-formed buffer of the kind, in which columns have the right lengths, indices
 * are in range, all text is UTF-8, and what is read is in proportion to the bytes. Readers of this package get bytes from here alone.
 */
export function reading<Result>(
  kind: Kind, bytes: Uint8Array, read: (source: Uint8Array, steps: Steps) => Result, options: CallOptions = {},
): Result {
  if (!(bytes instanceof Uint8Array)) throw new StowageError('INVALID', 'must be a Uint8Array', 'bytes');
  const steps = new Steps(options);
  if (options !== OWN) {
    if (checker === undefined) {
      throw new StowageError('UNAVAILABLE', 'the library checks bytes before they are read: load it on this thread first');
    }
    checker.checkBytes(kind, bytes, steps.rest());
  }
  try {
    return read(alignedBytes(bytes), steps);
  } catch (error) {
    if (error instanceof StowageError || steps.isEnd(error)) throw error;
    throw new StowageError('MALFORMED', `not a well-formed buffer with a ${kind}`, '', { cause: error });
  }
}
