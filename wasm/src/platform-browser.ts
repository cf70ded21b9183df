import type { Platform } from './platform.js';

export const platform: Platform = {
  files: {
    'stowage.wasm': new URL('../stowage.wasm', import.meta.url),
    'stowage-text.wasm': new URL('../stowage-text.wasm', import.meta.url),
    'stowage-k8s.wasm': new URL('../stowage-k8s.wasm', import.meta.url),
  },

  absolute: (location) => new URL(location, globalThis.document?.baseURI ?? globalThis.location.href).href,

  async compile(location) {
    const response = await fetch(location);
    if (!response.ok) throw new Error(`${location}: ${response.status} ${response.statusText}`);
    // Streaming compilation requires the MIME type application/wasm, which many servers do not send.
    if (response.headers.get('Content-Type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  },

  startWorker: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),

  connect(worker, onMessage, onFailure) {
    const target = worker as Worker;
    target.addEventListener('message', (event) => onMessage(event.data));
    target.addEventListener('messageerror', () => onFailure(new Error('a message could not be read')));
    target.addEventListener('error', (event) => {
      event.preventDefault();
      onFailure(event.error ?? new Error(event.message || 'the worker could not be started'));
    });
    return {
      post: (message, transfer) => target.postMessage(message, [...transfer]),
      hold: () => undefined,
      end: () => target.terminate(),
    };
  },

  scope: () => ({
    post: (message, transfer) => globalThis.postMessage(message, { transfer: [...transfer] }),
    listen: (onMessage) => globalThis.addEventListener('message', (event) => onMessage(event.data)),
  }),

  canShare: globalThis.crossOriginIsolated === true,
};
