// Vectors, texts and lists of the buffers that go to the library.
import * as flatbuffers from 'flatbuffers';
import { StowageError, invalid, onlyKeys } from './errors.js';
import { NONE, bytesOf, doubles, integers, listed, text, word, words, type Doubles, type Words } from './lists.js';
import { UNTIL_DONE, type Steps } from './watch.js';

export type Offset = flatbuffers.Offset;

/** Writes vectors and text, and looks at whether the work is to end. An absent column stays absent, so that it differs from an empty one. */
export class Encoder {
  readonly builder: flatbuffers.Builder;

  constructor(
    size: number,
    readonly steps = UNTIL_DONE,
  ) {
    this.builder = new flatbuffers.Builder(size);
  }

  words(values: Words | undefined, path: string): Offset {
    return values === undefined ? 0 : this.column(words(values, path, this.steps));
  }

  integers(values: Int32Array | readonly number[] | undefined, path: string): Offset {
    return values === undefined ? 0 : this.column(integers(values, path, this.steps));
  }

  doubles(values: Doubles | undefined, path: string): Offset {
    return values === undefined ? 0 : this.column(doubles(values, path, this.steps));
  }

  bytes(values: Uint8Array | readonly number[] | undefined, path: string): Offset {
    return values === undefined ? 0 : this.column(bytesOf(values, path, this.steps));
  }

  text(value: string | undefined, path: string): Offset {
    return value === undefined || value === '' ? 0 : this.required(value, path);
  }

  required(value: string, path: string): Offset {
    this.steps.step();
    return this.builder.createString(text(value, path));
  }

  texts(values: readonly string[] | undefined, path: string): Offset {
    if (values === undefined || values.length === 0) return 0;
    return this.names(values, path);
  }

  /** A required list of names, which is there though it may be empty. */
  names(values: readonly string[], path: string): Offset {
    return this.vector(listed(values, path).map((value, k) => this.required(value, `${path}[${k}]`)));
  }

  /** Refuses what is no object, or has keys that nothing reads. */
  object(value: object, keys: ReadonlySet<string>, path: string): void {
    if (typeof value !== 'object' || value === null) throw invalid(path, 'must be an object');
    onlyKeys(value, keys, path);
  }

  /** A number; with `absent` below 0, none below 0 is one. Undefined stands for `absent`, if there is such a number. */
  number(value: number | undefined, absent: number | undefined, path: string): number {
    if (value === undefined && absent !== undefined) return absent;
    if (typeof value !== 'number') throw invalid(path, 'must be a number');
    if (absent !== undefined && absent < 0 && value < 0) throw invalid(path, 'must be a number, not below 0');
    return value;
  }

  /** A whole number. The one that stands for an absent one is none. */
  count(value: number | undefined, absent: number, path: string): number {
    if (value === undefined) return absent;
    if (absent === NONE && value === NONE) throw invalid(path, 'must be a whole number below 4294967295');
    return word(value, path);
  }

  /** A name or an index, as the two fields of a table. */
  reference(value: string | number, path: string): [name: Offset, index: number] {
    if (typeof value !== 'string') return [0, word(value, path)];
    if (value === '') throw invalid(path, 'is empty; give the index');
    return [this.required(value, path), NONE];
  }

  /** A list of tables; absent where it is empty, unless it is required. */
  tables<Item>(
    list: readonly Item[] | undefined, path: string, write: (encoder: Encoder, one: Item, path: string) => Offset, required = false,
  ): Offset {
    const offsets = listed(list, path).map((one, k) => write(this, one, `${path}[${k}]`));
    return offsets.length === 0 && !required ? 0 : this.vector(offsets);
  }

  /** A vector of tables or strings. */
  vector(offsets: readonly Offset[]): Offset {
    this.builder.startVector(4, offsets.length, 4);
    for (let k = offsets.length - 1; k >= 0; --k) this.builder.addOffset(offsets[k]!);
    return this.builder.endVector();
  }

  /** A vector of structs; `create` writes entry k. */
  structs(size: number, alignment: number, length: number, create: (k: number) => unknown): Offset {
    this.builder.startVector(size, length, alignment);
    for (let k = length - 1; k >= 0; --k) {
      this.steps.step();
      create(k);
    }
    return this.builder.endVector();
  }

  /** A vector of numbers, copied as a whole as the runtime's own `createByteVector` does. */
  private column(values: Uint32Array | Int32Array | Float64Array | Uint8Array): Offset {
    const { builder } = this;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    builder.startVector(values.BYTES_PER_ELEMENT, values.length, values.BYTES_PER_ELEMENT);
    builder['bb'].setPosition((builder['space'] -= bytes.length));
    builder['bb'].bytes().set(bytes, builder['space']);
    return builder.endVector();
  }
}

/** Runs a conversion of what a caller gives. What is no form of it at all fails with `INVALID`, too. */
export function converting<Result>(what: string, steps: Steps, convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (error instanceof StowageError || steps.isEnd(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new StowageError('INVALID', `not ${what}: ${message}`, '', { cause: error });
  }
}
