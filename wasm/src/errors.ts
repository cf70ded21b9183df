/** Codes of the library; see `stowage_status` in stowage.h. */
export type StatusCode =
  | 'INVALID_ARGUMENT'
  | 'MALFORMED'
  | 'INVALID'
  | 'UNSUPPORTED'
  | 'LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'OUT_OF_MEMORY'
  | 'INTERNAL'
  | 'CANCELLED'
  | 'BUSY';

/**
 * Codes of this package:
 * - `DISPOSED`: the object was disposed before the call.
 * - `UNAVAILABLE`: the module or the worker cannot be started, or has ended.
 *
 * Two codes of the library that are no faults of an argument:
 * - `CANCELLED`: the call was cancelled, or its time was over, before it had a result. Nothing changed.
 * - `BUSY`: a callback called the library that is in the call which calls back. Nothing was done.
 */
export type ErrorCode = StatusCode | 'DISPOSED' | 'UNAVAILABLE';

/** Half of a surrogate pair: text with it has no form in UTF-8. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Text that may quote a caller's, as it can be written. */
const writable = (text: string): string => text.replace(LONE_SURROGATES, '\uFFFD');

/** The error type of all failures. */
export class StowageError extends Error {
  override readonly name = 'StowageError';
  /** The field at fault, such as `apps.demand[51]` or `apps[3].demand.cpu`; empty where there is none. */
  readonly path: string;

  /**
   * Makes an error, as the package does.
   * @param code the kind of failure
   * @param message one English sentence
   * @param path the field at fault
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    path = '',
    options?: ErrorOptions,
  ) {
    super(writable(message), options);
    this.path = writable(path);
  }
}

/** An error for a wrong value of the caller. */
export function invalid(path: string, message: string): StowageError {
  return new StowageError('INVALID', message, path);
}

/** Refuses text that has no form in UTF-8; `path` is asked for only then. */
export function wellFormed(text: string, path: () => string): string {
  if (text.search(LONE_SURROGATES) >= 0) throw invalid(path(), 'has half of a surrogate pair, which is no text');
  return text;
}

/** Refuses an object that has a key which nothing reads, such as a misspelled one; undefined counts as absent. */
export function onlyKeys(from: object, known: ReadonlySet<string>, path: string): void {
  for (const [key, value] of Object.entries(from)) {
    if (value !== undefined && !known.has(key)) throw invalid(path === '' ? key : `${path}.${key}`, 'unknown key');
  }
}
