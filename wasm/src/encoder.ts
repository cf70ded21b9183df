// Vectors, texts and lists of the buffers that go to the library.
import * as flatbuffers from 'flatbuffers';
import { invalid } from './errors.js';
import { bytesOf, doubles, listed, words, type Doubles, type Words } from './lists.js';
import * as wire from './wire/instance_generated.js';

export type Offset = flatbuffers.Offset;

/** Writes vectors. An absent column stays absent, so that it differs from an empty one. */
export class Encoder {
  readonly builder: flatbuffers.Builder;

  constructor(size: number) {
    this.builder = new flatbuffers.Builder(size);
  }

  words(values: Words | undefined, path: string): Offset {
    if (values === undefined) return 0;
    return wire.Apps.createReplicasVector(this.builder, words(values, path));
  }

  doubles(values: Doubles | undefined, path: string): Offset {
    if (values === undefined) return 0;
    return wire.Apps.createDemandVector(this.builder, doubles(values, path));
  }

  text(value: string | undefined, path: string): Offset {
    if (value === undefined || value === '') return 0;
    return this.required(value, path);
  }

  required(value: string, path: string): Offset {
    if (typeof value !== 'string') throw invalid(path, 'must be a string');
    return this.builder.createString(value);
  }

  texts(values: readonly string[] | undefined, path: string): Offset {
    if (values === undefined || values.length === 0) return 0;
    return this.names(values, path);
  }

  /** A required list of names, which is there though it may be empty. */
  names(values: readonly string[], path: string): Offset {
    return this.vector(listed(values, path).map((value, k) => this.required(value, `${path}[${k}]`)));
  }

  bytes(values: Uint8Array | readonly number[] | undefined, path: string): Offset {
    if (values === undefined) return 0;
    return wire.Nodes.createClosedVector(this.builder, bytesOf(values, path));
  }

  /** A vector of tables or strings. */
  vector(offsets: readonly Offset[]): Offset {
    this.builder.startVector(4, offsets.length, 4);
    for (let k = offsets.length - 1; k >= 0; --k) this.builder.addOffset(offsets[k]!);
    return this.builder.endVector();
  }
}
