// Compressed bytes from outside, which may stand for any amount.

/** The bytes that compressed ones stand for. Fails where they are damaged, or stand for more than `most`. */
export async function inflated(bytes: Uint8Array, format: CompressionFormat, most: number): Promise<Uint8Array> {
  const source = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream(format));
  const parts: BlobPart[] = [];
  let size = 0;
  for (const reader = source.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`the compressed bytes stand for more than ${most.toLocaleString('en')}`);
    }
    parts.push(value as BlobPart);
  }
}
