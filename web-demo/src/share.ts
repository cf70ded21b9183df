// A scenario in the part of the address after "#": its recipe if known, else its compressed bytes.
import type { ClassColumns } from 'stowage';
import { inflated } from './desk/files/inflate.js';
import { PRESET_NAMES, type Preset } from './presets.js';

export interface Recipe {
  preset: Preset;
  classes?: ClassColumns[];
}

export type Shared = { kind: 'recipe'; recipe: Recipe } | { kind: 'bytes'; bytes: Uint8Array };

/** Longest fragment in characters. Other programs truncate longer addresses. */
const LONGEST = 60_000;
/** Bytes that a link may stand for. */
const MOST_INFLATED = 2 ** 26;

function toText(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The fragment, or undefined where the scenario is too large for an address. */
export async function toFragment(recipe: Recipe | undefined, bytes: Uint8Array): Promise<string | undefined> {
  if (recipe !== undefined) {
    const plain = { ...recipe, classes: recipe.classes?.map((one) => ({ ...one, capacity: Array.from(one.capacity) })) };
    return `#r=${toText(new TextEncoder().encode(JSON.stringify(plain)))}`;
  }
  const text = toText(await deflated(bytes));
  return text.length > LONGEST ? undefined : `#i=${text}`;
}

/** The scenario in a fragment; undefined for an empty fragment. Fails for a damaged one. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  const [, kind, text] = /^#([ri])=(.+)$/s.exec(fragment) ?? [];
  if (kind === undefined || text === undefined) return undefined;
  try {
    if (kind === 'i') return { kind: 'bytes', bytes: await inflated(toBytes(text), 'deflate-raw', MOST_INFLATED) };
    const recipe = JSON.parse(new TextDecoder().decode(toBytes(text))) as Recipe;
    const { preset, apps, density, seed } = recipe.preset;
    if (!PRESET_NAMES.includes(preset) || ![apps, density, seed].every(Number.isFinite))
      throw new Error(preset);
    return { kind: 'recipe', recipe };
  } catch (cause) {
    throw new Error('the link is damaged: the part after "#" cannot be read', { cause });
  }
}
