/** Codes of the library; see `stowage_status` in stowage.h. */
export type StatusCode =
  | 'INVALID_ARGUMENT'
  | 'MALFORMED'
  | 'INVALID'
  | 'UNSUPPORTED'
  | 'LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'OUT_OF_MEMORY'
  | 'INTERNAL';

/**
 * Codes of this package:
 * - `DISPOSED`: the object was disposed before the call.
 * - `CANCELLED`: the call was cancelled and has no result.
 * - `UNAVAILABLE`: the module or the worker cannot be started, or has ended.
 */
export type ErrorCode = StatusCode | 'DISPOSED' | 'CANCELLED' | 'UNAVAILABLE';

/** The error type of all failures. */
export class StowageError extends Error {
  override readonly name = 'StowageError';

  /**
   * Makes an error, as the package does.
   * @param code the kind of failure
   * @param message one English sentence
   * @param path the field at fault, such as `apps.demand[51]` or `apps[3].demand.cpu`; empty where there is none
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly path = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An error for a wrong value of the caller. */
export function invalid(path: string, message: string): StowageError {
  return new StowageError('INVALID', message, path);
}

/** Refuses an object that has a key which nothing reads, such as a misspelled one; undefined counts as absent. */
export function onlyKeys(from: object, known: ReadonlySet<string>, path: string): void {
  for (const [key, value] of Object.entries(from)) {
    if (value !== undefined && !known.has(key)) throw invalid(path === '' ? key : `${path}.${key}`, 'unknown key');
  }
}
