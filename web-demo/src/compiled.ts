// The library's WebAssembly, compiled once for the page and all its workers.
import wasm from 'stowage/stowage.wasm?url';
import { StowageError } from 'stowage';

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasm);
  if (!response.ok) throw new StowageError('UNAVAILABLE', `${wasm}: ${response.status} ${response.statusText}`);
  // Streaming compilation requires the MIME type application/wasm, which many servers do not send.
  if (response.headers.get('Content-Type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export const compiled = compile();
