import { StowageError } from 'stowage';

/** What went wrong, for people. */
export const messageOf = (error: unknown): string =>
  error instanceof StowageError && error.path !== ''
    ? `${error.path}: ${error.message}`
    : error instanceof Error
      ? error.message
      : String(error);
