// The page's side of the service worker, which serves the page without a network.

/** Number of pages that a worker serves, this one included. */
const servedBy = (worker: ServiceWorker): Promise<number> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
    worker.postMessage('count', [port2]);
  });

/**
 * Lets a version that was loaded during an earlier visit take over, where no other page is open. The page loads again then; it has
 * just come, so that nothing is lost.
 */
export async function takeNewVersion(): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const { controller } = container ?? {};
  if (container === undefined || controller == null) return;
  container.addEventListener('controllerchange', () => location.reload());
  const waiting = (await container.getRegistration())?.waiting;
  if (waiting != null && (await servedBy(controller)) === 1) waiting.postMessage('take over');
}

/** Keeps the page for visits without a network, and looks for a new version, which the next visit takes. */
export async function keepOffline(): Promise<void> {
  // The development server's files change while it runs.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('./sw.js', { updateViaCache: 'none' });
    // Without a network, this fails, and the next visit asks again.
    if (navigator.serviceWorker.controller !== null) await registration.update().catch(() => undefined);
  } catch (error) {
    console.info(`The page is not kept for visits without a network: ${String(error)}`);
  }
}
