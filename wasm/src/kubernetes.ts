// The library stowage_k8s: questions about Kubernetes clusters. It plans by itself, and is a module of its own that is loaded on demand.
import { Memory, instantiate, type CommonExports, type Pointer } from './abi.js';
import { compiledModule, unavailable, type LoadOptions } from './compile.js';
import type { InstanceDescription } from './description.js';
import { wellFormed } from './errors.js';
import { textIn } from './text.js';
import { A_YEAR, Steps, type CallOptions } from './watch.js';

interface Exports extends CommonExports {
  stowage_k8s_answer(
    request: Pointer, requestSize: number, objects: Pointer, size: number, control: Pointer, code: Pointer, answer: Pointer,
    error: Pointer,
  ): number;
  stowage_control_new(control: Pointer, error: Pointer): number;
  stowage_control_set_deadline(control: Pointer, milliseconds: bigint): number;
  stowage_control_cancel(control: Pointer): void;
}


class KubernetesModule extends Memory<Exports> {
  private failure: { reason: unknown } | undefined;

  static async create(compiled: WebAssembly.Module, steps: Steps): Promise<KubernetesModule> {
    let module: KubernetesModule | undefined;
    try {
      module = new KubernetesModule(await instantiate<Exports>(compiled, () => module?.look()), steps);
      return module;
    } catch (cause) {
      throw unavailable('stowage-k8s.wasm', 'started', cause);
    }
  }

  private readonly control: Pointer;

  private constructor(exports: Exports, private readonly steps: Steps) {
    super(exports);
    this.check(exports.stowage_control_new(this.out, this.error));
    this.control = this.word(this.out);
    this.check(exports.stowage_control_set_deadline(this.control, BigInt(A_YEAR)));
  }

  answer(request: unknown, objects: Uint8Array): ClusterAnswer {
    try {
      return this.withBytes(new TextEncoder().encode(wellFormed(JSON.stringify(request), () => '')), (asked, askedSize) =>
        this.withBytes(objects, (given, size) => {
          const code = this.allocate(Int32Array.BYTES_PER_ELEMENT);
          this.check(
            this.exports.stowage_k8s_answer(asked, askedSize, given, size, this.control, code, this.out, this.error),
          );
          return { code: this.word(code) as ClusterAnswer['code'], text: textIn(this.takeBuffer()) };
        }),
      );
    } catch (error) {
      throw this.failure === undefined ? this.failureOf(error) : this.failure.reason;
    }
  }

  /** Called when the library reads the clock. An exception must not unwind it: the call is cancelled, and the reason thrown then. */
  private look(): void {
    if (this.failure !== undefined) return;
    try {
      this.steps.step(Infinity);
    } catch (reason) {
      this.failure = { reason };
      this.exports.stowage_control_cancel(this.control);
    }
  }
}

/** The answer to a question about a cluster. */
export interface ClusterAnswer {
  /** For people or, where `-json` is among the arguments, JSON. */
  text: string;
  /** 2 where something does not fit, 4 where that depends on objects that were not given, else 0. */
  code: 0 | 2 | 4;
}

/** A cluster as an instance, and what the instance does not say, a sentence each. */
export interface ClusterInstance {
  instance: InstanceDescription;
  /** What plans do not take into account. */
  leftOut: string[];
  /** What of it is missing from the objects and could change an answer. */
  missing: string[];
  /** What was assumed when the objects were read. */
  notes: string[];
  /** What runs and may not leave its node now. The instance pins it there. */
  held: string[];
}

/** Objects as `kubectl get -o json` prints them, one document after the other. */
export type ClusterObjects = string | Uint8Array;

export interface ClusterOptions extends CallOptions {
  /** The texts of the files that a `-price` among the arguments names. */
  files?: Readonly<Record<string, string>> | undefined;
}

/** Answers questions about Kubernetes clusters, as `stowage k8s` does. */
export class Kubernetes {
  /** @internal */
  constructor(private readonly compiled: WebAssembly.Module) {}

  /**
   * Answers a question in the bytes of the command. What ends the call is looked at while it plans.
   * @param args those of the command, such as `['fit', '-json']`, without files of objects
   */
  async answer(args: readonly string[], objects: ClusterObjects, options: ClusterOptions = {}): Promise<ClusterAnswer> {
    const { files = {}, ...ending } = options;
    const steps = new Steps(ending);
    const given = typeof objects === 'string' ? new TextEncoder().encode(wellFormed(objects, () => '')) : objects;
    // An instance of its own, so that the memory of a large cluster is free after the answer.
    const module = await KubernetesModule.create(this.compiled, steps);
    steps.step(Infinity);
    return module.answer({ arguments: args, files }, given);
  }

  /** Reads a cluster as an instance, for planners and for all else that takes one. */
  async read(objects: ClusterObjects, options: CallOptions = {}): Promise<ClusterInstance> {
    return JSON.parse((await this.answer(['instance', '-json'], objects, options)).text) as ClusterInstance;
  }
}

/** Loads the part of the package that answers questions about Kubernetes clusters onto this thread. */
export async function loadKubernetes(options: LoadOptions = {}): Promise<Kubernetes> {
  return new Kubernetes(await compiledModule('stowage-k8s.wasm', options));
}
