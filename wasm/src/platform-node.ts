import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker, parentPort } from 'node:worker_threads';
import type { Platform } from './platform.js';

async function bytesAt(text: string): Promise<BufferSource> {
  if (!/^https?:/.test(text)) return readFile(text.startsWith('file:') ? fileURLToPath(text) : text);
  const response = await fetch(text);
  if (!response.ok) throw new Error(`${text}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

export const platform: Platform = {
  files: {
    'stowage.wasm': new URL('../stowage.wasm', import.meta.url),
    'stowage-text.wasm': new URL('../stowage-text.wasm', import.meta.url),
    'stowage-k8s.wasm': new URL('../stowage-k8s.wasm', import.meta.url),
  },

  absolute: String,

  compile: async (location) => WebAssembly.compile(await bytesAt(location)),

  // The worker must not inherit the options of this process, such as a program given on its command line.
  startWorker: () => new Worker(new URL('./worker.js', import.meta.url), { execArgv: [] }),

  connect(worker, onMessage, onFailure) {
    const target = worker as Worker;
    let ended = false;
    target.on('message', onMessage);
    target.on('messageerror', onFailure);
    target.on('error', onFailure);
    target.on('exit', (code) => {
      if (!ended) onFailure(new Error(`the worker ended with code ${code}`));
    });
    target.unref();
    return {
      post: (message, transfer) => target.postMessage(message, transfer as ArrayBuffer[]),
      hold: (busy) => (busy ? target.ref() : target.unref()),
      end: () => {
        ended = true;
        void target.terminate();
      },
    };
  },

  scope: () => ({
    post: (message, transfer) => parentPort!.postMessage(message, transfer as ArrayBuffer[]),
    listen: (onMessage) => parentPort!.on('message', onMessage),
  }),

  canShare: true,
};
