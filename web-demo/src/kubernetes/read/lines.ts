// Mistakes in JSON text with their lines.
import { StowageError } from 'stowage';
import { JsonMistake, Walk, lineOf, placeOf } from './text.js';

/** The value of a JSON text. Fails with the line of the first mistake. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const walk = new Walk(text);
    try {
      walk.value();
      walk.space();
    } catch (error) {
      if (!(error instanceof JsonMistake)) throw error;
      throw new StowageError('MALFORMED', error.message, `line ${lineOf(text, error.at)}`);
    }
    if (!walk.ended) throw new StowageError('MALFORMED', 'there is more after the end', `line ${lineOf(text, walk.at)}`);
    throw new StowageError('MALFORMED', cause instanceof Error ? cause.message : 'not JSON');
  }
}

/**
 * Does the work on a value of a text. A path at which it fails gets its line.
 * @param from where the value begins
 */
export function withLine<Result>(text: string, work: () => Result, from = 0): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    const line = `line ${lineOf(text, placeOf(text, error.path, from))}`;
    throw new StowageError(error.code, error.message, error.path === '' ? line : `${line}: ${error.path}`);
  }
}
