// YAML as JSON.
import { StowageError } from 'stowage';

/** Whether a text looks like documents in YAML, by its first line that is no comment. */
export const looksLikeYaml = (text: string): boolean =>
  /^(?:[ \t]*(?:#.*)?\r?\n)*(?:---|%YAML|(?:apiVersion|kind|metadata|items|stowage|stowage_plan):)/.test(text);

/** The documents as JSON, one after the other on one line, in which no line of the YAML is named. Fails with the line of what is wrong. */
export async function jsonOfYaml(text: string): Promise<string> {
  // Loaded when a visitor has such a file.
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: 'error' });
  if (!Array.isArray(documents)) return '';
  return documents
    .map((one) => {
      const [error] = one.errors;
      if (error !== undefined) {
        const line = text.slice(0, error.pos[0]).split('\n').length;
        throw new StowageError('MALFORMED', `line ${line}: ${error.message}`);
      }
      try {
        return one.toJS() as unknown;
      } catch (cause) {
        // Aliases that stand for too much.
        throw new StowageError('MALFORMED', cause instanceof Error ? cause.message : String(cause), '', { cause });
      }
    })
    .filter((value) => value !== null && value !== undefined)
    .map((value) => JSON.stringify(value))
    .join(' ');
}
