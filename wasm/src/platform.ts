// What differs between browsers and Node.js. The build puts the one or the other in the place of `#platform`.

/** A worker as its client sees it. */
export interface Port {
  post(message: unknown, transfer: readonly Transferable[]): void;
  /** Whether a process should wait for it. */
  hold(busy: boolean): void;
  end(): void;
}

/** Its other end, inside the worker. */
export interface WorkerScope {
  post(message: unknown, transfer: readonly Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** A `Worker` of browsers or of `node:worker_threads`. */
export interface WorkerLike {
  postMessage(message: any, transfer?: any): void;
  terminate(): unknown;
}

export interface Platform {
  /** Where the .wasm lies beside this code. */
  readonly wasm: URL;
  compile(location: string | URL): Promise<WebAssembly.Module>;
  startWorker(): WorkerLike;
  connect(worker: WorkerLike, onMessage: (message: unknown) => void, onFailure: (reason: unknown) => void): Port;
  scope(): WorkerScope;
  /** Whether memory can be shared with a worker. */
  readonly canShare: boolean;
}
