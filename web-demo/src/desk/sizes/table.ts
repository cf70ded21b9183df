// Tables as text, with the place of every field: CSV, or fields between tabs as spreadsheets copy them.
import type { Problem } from './protocol.js';

/** What is wrong with a text, and where. */
export class TableError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export interface Row {
  /** Line in the text, from 1. */
  line: number;
  /** Position of the row's first character in the text. */
  begin: number;
  fields: string[];
  /** Positions of the fields in the text: each begins at an even index and ends before the position after it. */
  bounds: number[];
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite decimal number; undefined where the text is none. */
export function parseNumber(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

export class Table {
  readonly header: string[];
  private readonly separator: string;
  private readonly first: Row;
  private at = 0;
  private line = 1;
  private row: Row;

  /** @param columns the columns that the text has to have, for the message about an empty one */
  constructor(
    private readonly text: string,
    columns: string,
  ) {
    if (text.startsWith('\uFEFF')) this.at = 1;
    const end = text.indexOf('\n');
    const line = end < 0 ? text : text.slice(0, end);
    this.separator = line.includes('\t') && !line.includes(',') ? '\t' : ',';
    const first = this.next();
    if (first === undefined) {
      throw new TableError({ begin: 0, end: 0, message: `There is no text. Its first line names the columns: ${columns}.` });
    }
    this.first = this.row = first;
    this.header = first.fields;
    this.header.forEach((name, column) => {
      if (name === '') this.fail(column, 'the column has no name');
      if (this.header.indexOf(name) !== column) this.fail(column, `the column "${name}" stands twice`);
    });
  }

  /** The rows after the header. Empty lines are none. */
  *rows(): Generator<Row> {
    for (;;) {
      const row = this.next();
      if (row === undefined) return;
      this.row = row;
      if (row.fields.length !== this.header.length) {
        this.fail(undefined, `has ${row.fields.length} fields, and the header ${this.header.length}`);
      }
      yield row;
    }
  }

  /** Fails at a column of the row that was read last. */
  fail(column: number | undefined, message: string): never {
    throw new TableError(this.problem(this.row, column, message));
  }

  /** Fails at the header. */
  failAtHeader(message: string): never {
    throw new TableError(this.problem(this.first, undefined, message));
  }

  /** @param row position of the row in the text, and its line; absent: the header */
  problemAt(row: { begin: number; line: number } | undefined, column: number | undefined, message: string): Problem {
    if (row === undefined) return this.problem(this.first, column, message);
    [this.at, this.line] = [row.begin, row.line];
    return this.problem(this.next()!, column, message);
  }

  private problem({ line, begin, bounds }: Row, column: number | undefined, message: string): Problem {
    if (column === undefined) return { line, begin, end: bounds.at(-1)!, message };
    const name = this.header?.[column] ?? '';
    return { line, column: column + 1, name, begin: bounds[2 * column]!, end: bounds[2 * column + 1]!, message };
  }

  /** Reads a row, or undefined at the end of the text. */
  private next(): Row | undefined {
    const { text } = this;
    while (/^[\r\n]$/.test(text.charAt(this.at))) if (text[this.at++] === '\n') ++this.line;
    if (this.at >= text.length) return undefined;
    const row: Row = { line: this.line, begin: this.at, fields: [], bounds: [] };
    do this.field(row);
    while (text[this.at++] === this.separator);
    if (text[this.at - 1] === '\n') ++this.line;
    return row;
  }

  /** Reads a field up to the separator or the end of the line. */
  private field(row: Row): void {
    const { text, separator } = this;
    while (text[this.at] === ' ') ++this.at;
    const begin = this.at;
    if (text[begin] === '"') {
      let end = begin + 1;
      for (; end < text.length; ++end) {
        if (text[end] === '\n') ++this.line;
        if (text[end] !== '"') continue;
        if (text[end + 1] !== '"') break;
        ++end;
      }
      row.fields.push(text.slice(begin + 1, end).replaceAll('""', '"'));
      row.bounds.push(begin, Math.min(end + 1, text.length));
      const wrong = end >= text.length ? 'a quote is not closed' : '';
      this.at = end + 1;
      while (/^[ \r]$/.test(text.charAt(this.at))) ++this.at;
      const after = text[this.at];
      if (wrong !== '' || (after !== undefined && after !== separator && after !== '\n')) {
        throw new TableError(this.problem(row, row.fields.length - 1, wrong || 'text follows a closed quote'));
      }
      return;
    }
    let end = begin;
    while (end < text.length && text[end] !== separator && text[end] !== '\n') ++end;
    this.at = end;
    row.fields.push(text.slice(begin, end).trimEnd());
    row.bounds.push(begin, begin + row.fields.at(-1)!.length);
  }
}
