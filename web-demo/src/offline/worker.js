// The service worker: serves the page without a network. The build replaces what stands in capitals.
//
// Each version has a cache of its own with all files, each checked by its hash. A worker serves nothing but its own cache, so that a
// page never gets files of two versions.
const PREFIX = `stowage ${registration.scope} `;
const CACHE = PREFIX + 'VERSION';
/** Addresses relative to this file, with the hashes of their contents. */
const FILES = FILE_LIST;

const addressOf = (path) => new URL(path, location.href).href;
const ADDRESSES = new Set(Object.keys(FILES).map(addressOf));

async function fill() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.entries(FILES).map(async ([path, integrity]) => {
      // Past the browser's cache, which may hold the file of another version. Fails where the content is another one.
      const answer = await fetch(new Request(addressOf(path), { cache: 'no-cache', integrity }));
      if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}${answer.redirected ? ', redirected' : ''}`);
      await cache.put(addressOf(path), answer);
    }),
  );
}

/** The caches of earlier versions and of installations that failed. */
async function clean() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
}

async function answer(request, address) {
  const cache = await caches.open(CACHE);
  return (await cache.match(address)) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(fill()));
addEventListener('activate', (event) => event.waitUntil(clean()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = new URL(request.url);
  [url.search, url.hash] = ['', ''];
  const address = url.href === addressOf('index.html') ? addressOf('./') : url.href;
  if (ADDRESSES.has(address)) event.respondWith(answer(request, address));
});
addEventListener('message', (event) => {
  if (event.data === 'count') {
    // Pages that this worker serves, the one that asks included.
    const counted = clients.matchAll({ type: 'window' }).then((all) => event.ports[0].postMessage(all.length));
    event.waitUntil(counted);
  } else if (event.data === 'take over') {
    event.waitUntil(skipWaiting());
  }
});
