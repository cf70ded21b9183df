// The differences between browsers and Node.js. The build resolves `#platform` to one of the two implementations.

/** The client's end of a worker. */
export interface Port {
  post(message: unknown, transfer: readonly Transferable[]): void;
  /** Sets whether the process stays alive for the worker. */
  hold(busy: boolean): void;
  end(): void;
}

/** The worker's own end. */
export interface WorkerScope {
  post(message: unknown, transfer: readonly Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** A `Worker` of browsers or of `node:worker_threads`. */
export interface WorkerLike {
  /** Sends a message. */
  postMessage(message: any, transfer?: any): void;
  /** Ends the worker. */
  terminate(): unknown;
}

/** The modules: the library, the part that reads and writes text, and the one that answers questions about Kubernetes clusters. */
export type WasmFile = 'stowage.wasm' | 'stowage-text.wasm' | 'stowage-k8s.wasm';

export interface Platform {
  /** Locations of the modules beside this code. */
  readonly files: Readonly<Record<WasmFile, URL>>;
  /** A location that means the same in a worker. */
  absolute(location: string | URL): string;
  compile(location: string): Promise<WebAssembly.Module>;
  startWorker(): WorkerLike;
  connect(worker: WorkerLike, onMessage: (message: unknown) => void, onFailure: (reason: unknown) => void): Port;
  scope(): WorkerScope;
  /** Whether memory can be shared with a worker. */
  readonly canShare: boolean;
}
