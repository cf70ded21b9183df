import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { writeServiceWorker } from './scripts/offline.mjs';
import { scenarios } from './scripts/scenarios.js';

// These headers let pages share memory with their workers, so that a cancelled run returns its best plan so far.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// The built page can load only the files beside it.
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
  ],
};

let folder = '';
const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
  closeBundle: () => writeServiceWorker(folder),
};

export default defineConfig({
  base: './',
  plugins: [scenarios, contentSecurityPolicy, offline],
  worker: { format: 'es', plugins: () => [scenarios] },
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { headers, fs: { allow: ['..'] } },
  preview: { headers },
});
