// In which line of a JSON text a value is.
import { StowageError } from 'stowage';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Where the value of a path such as "apps[3].demand.cpu" begins, or of its longest part that is there. */
function placeOf(text: string, path: string): number {
  const wanted = Array.from(path.matchAll(/\[([0-9]+)\]|\["([^]*?)"\]|([^.[\]]+)/g), ([, position, quoted, name]) =>
    position === undefined ? (quoted ?? name!) : Number(position),
  );
  /** The lists and objects that are open, each with the position or key of the value in it that is next. */
  const open: { next: number | string | undefined }[] = [];
  let [found, longest] = [0, -1];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const last = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',') last!.next = typeof last!.next === 'number' ? last!.next + 1 : undefined;
    else if (last !== undefined && last.next === undefined) last.next = JSON.parse(token) as string;
    else if (token !== ':') {
      if (open.length > longest && open.length <= wanted.length && open.every(({ next }, k) => next === wanted[k])) {
        [found, longest] = [index, open.length];
        if (longest === wanted.length) break;
      }
      if (token === '{' || token === '[') open.push({ next: token === '[' ? 0 : undefined });
    }
  }
  return found;
}

/** Does the work on a JSON text. What is wrong with a value of it is told with its line, where the text has several. */
export function withLine<Result>(text: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StowageError) || error.path === '' || !text.includes('\n')) throw error;
    const line = text.slice(0, placeOf(text, error.path)).split('\n').length;
    throw new StowageError(error.code, `${error.message} (line ${line})`, error.path);
  }
}
