// Objects in the memory of a module or a worker. The garbage collector of JavaScript sees neither their size nor, while a loop of the
// program runs, when nothing refers to them any more.
import { Owned } from './dispose.js';
import { StowageError } from './errors.js';
import type { Limits } from './abi.js';
import type { Module } from './module.js';
import type { CallOptions } from './watch.js';

const MEBIBYTE = 2 ** 20;

/** Frees undisposed objects after they have become unreachable. */
const net = new FinalizationRegistry<() => void>((free) => free());

/** Bytes of such objects after which the collector is told of them, and the garbage that tells it: engines then collect at once. */
const TOLD_EVERY = 64 * MEBIBYTE;
const GARBAGE = 128 * MEBIBYTE;
let untold = 0;

/** Lets the garbage collector run in proportion to the memory that it does not see. */
function tellCollector(weight: number): void {
  untold += weight;
  if (untold < TOLD_EVERY) return;
  untold = 0;
  try {
    // Nothing writes to it, so that it takes no memory of the machine.
    new ArrayBuffer(GARBAGE);
  } catch {
    // There is not so much address space. The collector runs when it chooses.
  }
}

/** The names of the classes whose objects are held. */
export type HeldName = 'Instance' | 'Session' | 'Model';

/** An object that is freed when it is disposed of, or else once it is unreachable. */
export abstract class Held extends Owned {
  private isDisposed = false;

  /**
   * @internal
   * @param weight about how many bytes it takes elsewhere
   * @param release frees it; it does not refer to the object
   */
  constructor(
    name: string,
    private readonly kind: HeldName,
    weight: number,
    private readonly release: () => void,
  ) {
    super(name);
    net.register(this, release, this);
    tellCollector(weight);
  }

  /** Frees the object, once the call that uses it has ended. May be called any number of times. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    net.unregister(this);
    this.release();
  }

  /** @internal */
  protected get hasEnded(): boolean {
    return this.isDisposed;
  }

  /** @internal */
  protected notDisposed(): void {
    if (this.isDisposed) throw new StowageError('DISPOSED', `the ${this.kind.toLowerCase()} was disposed of`);
  }
}

/** Bytes up to which an instance's source is kept, so that its handle can be given up. */
const MOST_KEPT = 16 * MEBIBYTE;
/** A module keeps so many of the instances used last, and further ones up to so many bytes. */
const LAST = 16;
const MOST_INSIDE = 128 * MEBIBYTE;
/** An instance in the module takes about so many times the bytes that it was read from. */
export const GROWTH = 3;
/** And a session about so many times. */
export const SESSION_GROWTH = 9;

/** What the module has of an instance: a handle, unless it was given up. */
export interface Place {
  handle: number | undefined;
  readonly weight: number;
  /** Whether the instance can be loaded again. */
  readonly isKept: boolean;
}

/** The bytes and limits from which an instance is loaded again. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly limits: Limits | undefined;
}

/** Bytes to load an instance from again, which nobody else changes; undefined where they are too many to keep. */
export function sourceOf(bytes: Uint8Array, given: unknown, limits: Limits | undefined): Source | undefined {
  if (bytes.length > MOST_KEPT) return undefined;
  return { bytes: given instanceof Uint8Array || given instanceof ArrayBuffer ? bytes.slice() : bytes, limits };
}

/**
 * The instances of a module. Where there are many, it gives up the handles of those that were not used for longest: the loop of a
 * program that disposes of nothing would fill the module's memory before the collector can free any. Their sources are ordinary memory,
 * which the collector frees at any time.
 */
export class Instances {
  /** In the order of use. */
  private readonly inside = new Set<Place>();
  private weight = 0;

  constructor(private readonly module: Module) {}

  /** A place for a handle. */
  add(handle: number, weight: number, source: Source | undefined): Place {
    const place = { handle, weight, isKept: source !== undefined };
    this.enter(place);
    return place;
  }

  /** The handle of an instance for a call that follows at once. */
  handleOf(place: Place, source: Source | undefined, options: CallOptions): number {
    if (place.handle === undefined) {
      // The bytes were accepted before, so that their number is no matter.
      place.handle = this.module.load(source!.bytes, { ...source!.limits, maxBytes: 0 }, options);
      this.enter(place);
    } else if (this.inside.delete(place)) {
      this.inside.add(place);
    }
    return place.handle;
  }

  free(place: Place): void {
    if (place.handle === undefined) return;
    if (this.inside.delete(place)) this.weight -= place.weight;
    this.module.free(place.handle);
    place.handle = undefined;
  }

  private enter(place: Place): void {
    if (!place.isKept) return;
    this.inside.add(place);
    this.weight += place.weight;
    for (const oldest of this.inside) {
      if (this.weight <= MOST_INSIDE || this.inside.size <= LAST) break;
      this.free(oldest);
    }
  }
}
