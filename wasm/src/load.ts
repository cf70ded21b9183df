import { platform } from '#platform';
import { checkWith, hasChecker } from './check.js';
import { StowageError } from './errors.js';
import { Stowage } from './library.js';
import { Module } from './module.js';

/** The source of the WebAssembly; default: the file beside this code. */
export interface LoadOptions {
  /** The bytes of the module. */
  wasmBinary?: BufferSource | undefined;
  /** Or the compiled module. */
  wasmModule?: WebAssembly.Module | undefined;
  /** Or a function from the file's default name and location to its actual location. */
  locateFile?: ((file: string, place: URL) => string | URL) | undefined;
}

/** The compiled module, from the source that the options name. */
export async function compiledModule(options: LoadOptions): Promise<WebAssembly.Module> {
  if (options.wasmModule !== undefined) return options.wasmModule;
  try {
    if (options.wasmBinary !== undefined) return await WebAssembly.compile(options.wasmBinary);
    return await platform.compile(options.locateFile?.('stowage.wasm', platform.wasm) ?? platform.wasm);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StowageError('UNAVAILABLE', `stowage.wasm cannot be loaded: ${reason}`, '', { cause });
  }
}

/** Instantiates a compiled module. */
export async function startModule(compiled: WebAssembly.Module): Promise<Module> {
  try {
    return await Module.create(compiled);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StowageError('UNAVAILABLE', `stowage.wasm cannot be started: ${reason}`, '', { cause });
  }
}

/**
 * Lets this thread read bytes. They are checked by a module of their own, which stays, since they may be read without a library and
 * during a call of one.
 */
export async function startChecking(compiled: WebAssembly.Module): Promise<void> {
  if (!hasChecker()) checkWith(await startModule(compiled));
}

/** Loads the library onto this thread. Its calls are synchronous; use a worker to keep a page responsive. */
export async function loadStowage(options: LoadOptions = {}): Promise<Stowage> {
  const compiled = await compiledModule(options);
  await startChecking(compiled);
  return new Stowage(await startModule(compiled));
}
