// Objects that hold memory of a module or a worker until they are disposed of.
/// <reference lib="esnext.disposable" preserve="true" />
import { shown } from './shown.js';

/** An object that is freed by `dispose()`, or at the end of a scope by `using`. */
export abstract class Owned implements Disposable {
  /** Calls `dispose()`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  /** @internal */
  constructor(name: string) {
    // Without `Symbol.dispose`, the code that esbuild and Babel make of `using` looks for `Symbol.for('Symbol.dispose')`. The
    // method is defined here, since a computed name in the class keeps bundlers from dropping the class where it is not used.
    const key: symbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');
    Object.defineProperty(this, key, { value: () => this.dispose() });
    shown(this, name, () => this.toJSON());
  }

  /** What is known of the object without a call; the object itself cannot be written. */
  toJSON(): Record<string, string> {
    return {};
  }

  /** Frees the object. May be called any number of times. */
  abstract dispose(): void;
}
