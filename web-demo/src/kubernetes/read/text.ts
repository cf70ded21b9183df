// Places in JSON text: the first mistake, the end of a document, and where a path begins.

/** A mistake in JSON text, and its place. */
export class JsonMistake extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

export const lineOf = (text: string, at: number): number => {
  let line = 1;
  for (let k = text.indexOf('\n'); k >= 0 && k < at; k = text.indexOf('\n', k + 1)) ++line;
  return line;
};

const SPACE = /[ \t\r\n]*/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const OTHER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
/** Deeper values are refused, as they would exhaust the stack. */
const DEEPEST = 1000;

/** Walks through JSON text, and notes where the values of one path are. */
export class Walk {
  private readonly steps: (string | number)[] = [];
  /** Where the longest part of the wanted path begins that the text has. */
  found = 0;
  private longest = -1;

  constructor(
    private readonly text: string,
    public at = 0,
    private readonly wanted: readonly (string | number)[] = [],
  ) {}

  space(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** Walks through one value. Fails at the first mistake. */
  value(): void {
    this.space();
    this.note();
    if (this.steps.length > DEEPEST) throw new JsonMistake(this.at, 'is nested too deeply');
    const first = this.text[this.at];
    if (first === '{') this.list('}', () => this.member());
    else if (first === '[') this.list(']', (k) => this.step(k));
    else this.token(first === '"' ? TEXT : OTHER, 'a value');
  }

  private note(): void {
    const { steps, wanted } = this;
    if (steps.length <= this.longest || steps.length > wanted.length) return;
    if (!steps.every((step, k) => step === wanted[k])) return;
    this.longest = steps.length;
    this.found = this.at;
  }

  private step(key: string | number): void {
    this.steps.push(key);
    this.value();
    this.steps.pop();
  }

  private member(): void {
    const key = this.token(TEXT, 'a name in quotes');
    this.space();
    this.character(':');
    this.step(JSON.parse(key) as string);
  }

  private list(close: string, item: (k: number) => void): void {
    ++this.at;
    this.space();
    if (this.text[this.at] === close) {
      ++this.at;
      return;
    }
    for (let k = 0; ; ++k) {
      this.space();
      item(k);
      this.space();
      if (this.text[this.at] === close) {
        ++this.at;
        return;
      }
      this.character(',', close);
    }
  }

  private character(...wanted: string[]): void {
    if (this.text[this.at] !== wanted[0]) throw this.mistake(wanted.map((one) => `"${one}"`).join(' or '));
    ++this.at;
  }

  private token(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) throw this.mistake(what);
    this.at = pattern.lastIndex;
    return found[0];
  }

  private mistake(wanted: string): JsonMistake {
    const there = this.ended ? 'the text ends' : `there is ${JSON.stringify(this.text.slice(this.at, this.at + 12))}`;
    return new JsonMistake(this.at, `${there} where ${wanted} should be`);
  }
}

/** Where the value of a path such as "items[3].spec.replicas" begins, or of its longest part that is there. */
export function placeOf(text: string, path: string, from = 0): number {
  const steps = Array.from(path.matchAll(/\[([0-9]+)\]|\["([^]*?)"\]|([^.[\]]+)/g), ([, position, quoted, name]) =>
    position === undefined ? (quoted ?? name!) : Number(position),
  );
  const walk = new Walk(text, from, steps);
  try {
    walk.value();
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
  }
  return walk.found;
}
