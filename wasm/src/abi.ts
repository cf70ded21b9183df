// What the modules of this package have in common: their memory, and the structs and statuses of stowage.h.
import { StowageError, type StatusCode } from './errors.js';
import layout from './layout.json';

export const { structs, constants } = layout;

/** The largest instance that the caller accepts; see `stowage_limits` in stowage.h. */
export interface Limits {
  maxBytes?: number;
  maxApps?: number;
  maxReplicas?: number;
  maxLimits?: number;
  maxNodes?: number;
  maxCells?: number;
  maxMemory?: number;
}

const LIMIT_FIELDS: readonly [keyof Limits, number][] = [
  ['maxBytes', structs.stowage_limits.fields.max_bytes],
  ['maxApps', structs.stowage_limits.fields.max_apps],
  ['maxReplicas', structs.stowage_limits.fields.max_replicas],
  ['maxLimits', structs.stowage_limits.fields.max_limits],
  ['maxNodes', structs.stowage_limits.fields.max_nodes],
  ['maxCells', structs.stowage_limits.fields.max_cells],
  ['maxMemory', structs.stowage_limits.fields.max_memory],
];

export type Pointer = number;

/** What every module exports. */
export interface CommonExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): Pointer;
  free(pointer: Pointer): void;
  stowage_status_text(status: number): Pointer;
  stowage_buffer_free(buffer: Pointer): void;
}

const aligned = (size: number): number => Math.ceil(size / 16) * 16;
export const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * Instantiates a compiled module. Asynchronous, as browsers require it on their main thread.
 * @param look called when the module reads the clock
 */
export async function instantiate<Exports extends CommonExports>(compiled: WebAssembly.Module, look: () => void): Promise<Exports> {
  let exports: Exports | undefined;
  const instance = await WebAssembly.instantiate(compiled, {
    env: {
      emscripten_notify_memory_growth: () => undefined,
      // For tables of names, which may be hostile. Node.js 18 has no global `crypto`.
      getentropy: (at: Pointer, size: number): number => {
        const bytes = new Uint8Array(exports!.memory.buffer, at >>> 0, size);
        if (globalThis.crypto === undefined) bytes.forEach((_, k) => (bytes[k] = 256 * Math.random()));
        else crypto.getRandomValues(bytes);
        return 0;
      },
    },
    wasi_snapshot_preview1: {
      // There is no environment.
      environ_get: () => 0,
      environ_sizes_get: (count: Pointer, size: Pointer): number => {
        for (const at of [count, size]) new DataView(exports!.memory.buffer).setUint32(at >>> 0, 0, true);
        return 0;
      },
      clock_time_get: (clock: number, _precision: bigint, time: Pointer): number => {
        const now = clock === 0 ? Date.now() : performance.now();
        const view = new DataView(exports!.memory.buffer);
        view.setBigUint64(time >>> 0, BigInt(Math.round(now * NANOSECONDS_PER_MILLISECOND)), true);
        look();
        return 0;
      },
      proc_exit: (code: number): never => {
        throw new Error(`it ended itself with code ${code}`);
      },
    },
  });
  exports = instance.exports as unknown as Exports;
  exports._initialize();
  return exports;
}

/** A failure that the library reported; the module remains usable. */
export class StatusError extends Error {
  constructor(
    readonly code: StatusCode,
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** The memory of an instantiated module, and the structs that its calls fill. */
export class Memory<Exports extends CommonExports> {
  /** The reason why no further call is possible; undefined while calls are possible. */
  protected ended: StowageError | undefined;
  /** Memory for structs. Allocated once, because calls never overlap. */
  protected readonly error: Pointer;
  protected readonly out: Pointer;
  private readonly limits: Pointer;

  protected constructor(protected readonly exports: Exports) {
    const sizes = [structs.stowage_error.size, structs.stowage_buffer.size, structs.stowage_limits.size].map(aligned);
    this.error = this.allocate(sizes.reduce((sum, size) => sum + size, 0));
    this.out = this.error + sizes[0]!;
    this.limits = this.out + sizes[1]!;
  }

  /** True where no further call is possible. */
  get hasEnded(): boolean {
    return this.ended !== undefined;
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** What a caller is told of an exception of a call. One from inside the module leaves it in an unknown state: it is not used again. */
  protected failureOf(error: unknown): StowageError {
    if (error instanceof StatusError) return this.ended ?? new StowageError(error.code, error.message, error.path);
    const message = error instanceof Error ? error.message : String(error);
    this.ended ??= new StowageError('UNAVAILABLE', `the module failed before and takes no further calls: ${message}`);
    return new StowageError('INTERNAL', `the module failed: ${message}`, '', { cause: error });
  }

  protected check(status: number): void {
    if (status === constants.OK) return;
    const { fields } = structs.stowage_error;
    throw new StatusError(
      this.text(this.exports.stowage_status_text(status)).replace(/^STOWAGE_/, '') as StatusCode,
      this.text(this.error + fields.message),
      this.text(this.error + fields.path),
    );
  }

  protected allocate(size: number): Pointer {
    const pointer = this.exports.malloc(Math.max(1, size)) >>> 0;
    if (pointer === 0) throw new StatusError('OUT_OF_MEMORY', 'out of memory', '');
    return pointer;
  }

  protected withBytes<Result>(bytes: Uint8Array, call: (pointer: Pointer, size: number) => Result): Result {
    // A size above 32 bits would be truncated.
    if (bytes.length >= 2 ** 32) throw new StatusError('LIMIT_EXCEEDED', 'the buffer is larger than the module can hold', '');
    const pointer = this.allocate(bytes.length);
    try {
      new Uint8Array(this.exports.memory.buffer, pointer, bytes.length).set(bytes);
      return call(pointer, bytes.length);
    } finally {
      this.exports.free(pointer);
    }
  }

  protected word(at: Pointer): number {
    return new DataView(this.exports.memory.buffer).getUint32(at, true);
  }

  protected takeBuffer(): Uint8Array {
    const { fields } = structs.stowage_buffer;
    const data = this.word(this.out + fields.data);
    const bytes = new Uint8Array(this.exports.memory.buffer, data, this.word(this.out + fields.size)).slice();
    this.exports.stowage_buffer_free(this.out);
    return bytes;
  }

  protected text(at: Pointer): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    const begin = at >>> 0;
    return new TextDecoder().decode(bytes.subarray(begin, bytes.indexOf(0, begin)));
  }

  protected writeLimits(values: readonly bigint[]): Pointer {
    const { fields, size } = structs.stowage_limits;
    const view = new DataView(this.exports.memory.buffer, this.limits, size);
    new Uint8Array(this.exports.memory.buffer, this.limits, size).fill(0);
    view.setUint32(fields.struct_size, size, true);
    LIMIT_FIELDS.forEach(([, offset], k) => view.setBigUint64(offset, values[k]!, true));
    return this.limits;
  }
}

/** The limits in the order of their fields. Fails with the path of a wrong one. */
export function limitValues(limits: Limits): bigint[] {
  return LIMIT_FIELDS.map(([key]) => {
    const value = limits[key] ?? 0;
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new StowageError('INVALID_ARGUMENT', 'must be a whole number that is not negative', `limits.${key}`);
    }
    return BigInt(value);
  });
}
