// Where the WebAssembly modules are, and how they are compiled.
import { platform } from '#platform';
import { StowageError } from './errors.js';
import type { WasmFile } from './platform.js';

/** The source of the WebAssembly; default: the file beside this code. */
export interface LoadOptions {
  /** The bytes of the module. */
  wasmBinary?: BufferSource | undefined;
  /** Or the compiled module. */
  wasmModule?: WebAssembly.Module | undefined;
  /** Or a function from the file's default name, such as "stowage.wasm", and location to its actual location. */
  locateFile?: ((file: string, place: URL) => string | URL) | undefined;
}

/** The location of a file, as workers find it too. */
export function placeOf(file: WasmFile, { locateFile }: LoadOptions): string {
  const place = platform.files[file];
  return platform.absolute(locateFile?.(file, place) ?? place);
}

/** The compiled module, from the source that the options name. */
export async function compiledModule(file: WasmFile, options: LoadOptions): Promise<WebAssembly.Module> {
  if (options.wasmModule !== undefined) return options.wasmModule;
  try {
    if (options.wasmBinary !== undefined) return await WebAssembly.compile(options.wasmBinary);
    return await platform.compile(placeOf(file, options));
  } catch (cause) {
    throw unavailable(file, 'loaded', cause);
  }
}

/** What the caller is told where a module is missing or does not start. */
export function unavailable(file: WasmFile, what: 'loaded' | 'started', cause: unknown): StowageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StowageError('UNAVAILABLE', `${file} cannot be ${what}: ${reason}`, '', { cause });
}
