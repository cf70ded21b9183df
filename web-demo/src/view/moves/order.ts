// Puts moves in order in a worker of its own, so that the desk goes on and a visitor can end it at once.
import { startDeskThread, type DeskClient } from '../../desk/client.js';
import type { OrderedMoves } from '../../desk/protocol.js';
import type { Outcome } from '../../state.js';

/** From one plan to another one of the same scenario. Rejected with the signal's reason once that is aborted. */
export async function orderedMoves(desk: DeskClient, first: Outcome, second: Outcome, signal: AbortSignal): Promise<OrderedMoves> {
  const { desk: own, end } = startDeskThread();
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const order = async (): Promise<OrderedMoves> => {
    const bytes = await desk.writeInstance(first.scenario.id, 'stow');
    const read = await own.read([{ name: 'instance.stow', bytes: bytes.buffer as ArrayBuffer }]);
    if (read.kind !== 'instance') throw new Error('the instance was written, but not read back as an instance');
    for (const { id, plan } of [first, second]) await own.addPlan(read.scenario.id, id, plan.bytes);
    return own.orderedMoves(first.id, second.id);
  };
  try {
    return await Promise.race([order(), aborted]);
  } finally {
    end();
  }
}
