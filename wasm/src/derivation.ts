// How an instance differs from another one, as bytes (derivation.fbs).
import { Encoder, converting } from './encoder.js';
import { writeDerivation, type Derivation } from './given.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/derivation_generated.js';

/** The bytes of a derivation. */
export function encodeDerivation(derivation: Derivation, options: CallOptions = {}): Uint8Array {
  return derivationBytes(derivation, new Steps(options));
}

export function derivationBytes(derivation: Derivation, steps: Steps): Uint8Array {
  return converting('a derivation', steps, () => {
    const encoder = new Encoder(256, steps);
    wire.Derivation.finishDerivationBuffer(encoder.builder, writeDerivation(encoder, derivation, ''));
    return encoder.builder.asUint8Array();
  });
}
