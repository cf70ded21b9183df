import { checkWith, hasChecker } from './check.js';
import { compiledModule, unavailable, type LoadOptions } from './compile.js';
import { Stowage } from './library.js';
import { Module } from './module.js';

/** Instantiates a compiled module. */
export async function startModule(compiled: WebAssembly.Module): Promise<Module> {
  try {
    return await Module.create(compiled);
  } catch (cause) {
    throw unavailable('stowage.wasm', 'started', cause);
  }
}

/**
 * Lets this thread read bytes. They are checked by a module of their own, which stays, since they may be read without a library and
 * during a call of one.
 */
export async function startChecking(compiled: WebAssembly.Module): Promise<void> {
  if (!hasChecker()) checkWith(await startModule(compiled));
}

/**
 * Loads the library onto this thread. Its calls are synchronous; use a worker to keep a page responsive. What is written as JSON
 * is read by a part of its own: `loadText`.
 */
export async function loadStowage(options: LoadOptions = {}): Promise<Stowage> {
  const compiled = await compiledModule('stowage.wasm', options);
  await startChecking(compiled);
  return new Stowage(await startModule(compiled));
}
