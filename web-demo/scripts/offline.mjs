// Writes the service worker of a built page: the list of its files with their hashes, and a version that follows from both.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/offline/worker.js', import.meta.url));
const NAME = 'sw.js';
const sha256 = (bytes, encoding) => createHash('sha256').update(bytes).digest(encoding);

export function writeServiceWorker(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1).replaceAll(sep, '/'))
    .filter((path) => path !== NAME)
    .sort();
  // Web servers may redirect from index.html to its folder, and a redirected answer cannot be shown.
  const files = Object.fromEntries(
    paths.map((path) => [path === 'index.html' ? './' : path, `sha256-${sha256(readFileSync(join(folder, path)), 'base64')}`]),
  );
  const list = JSON.stringify(files, null, 2);
  const text = readFileSync(source, 'utf8');
  const version = sha256(list + text, 'hex').slice(0, 16);
  writeFileSync(join(folder, NAME), text.replace("'VERSION'", `'${version}'`).replace('FILE_LIST', list));
}
