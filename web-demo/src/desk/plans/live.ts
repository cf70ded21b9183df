// What happens to a cluster while a plan runs in it: the plan is committed in a session of the library, and the session goes on.
import {
  StowageError, decodeInstance, listedName, type InstanceColumns, type InstanceSource, type Operation, type Plan, type Stowage,
} from 'stowage';
import type { LiveEvent } from '../protocol.js';
import { becameOf } from './compare.js';

function operationOf(
  event: LiveEvent, { resources }: InstanceColumns, nodeName: (node: number) => string, appName: (app: number) => string,
): Operation {
  switch (event.what) {
    case 'drain':
    case 'fail':
      return { op: event.what, node: nodeName(event.node) };
    case 'uncordon':
      return { op: 'uncordon', node: event.name };
    case 'scale':
      return { op: 'scale', app: appName(event.app), replicas: event.replicas };
    case 'remove':
      return { op: 'remove', app: appName(event.app) };
    case 'submit':
      return { op: 'submit', app: event.name, replicas: event.replicas, demand: Object.fromEntries(resources.map(({ name }, k) => [name, event.demand[k]!])) };
  }
}

/**
 * The state of the session after the event.
 * @param listed number of listed nodes of the instance, before the plan
 */
export function happened(library: Stowage, source: InstanceSource, listed: number, plan: Plan, event: LiveEvent): Uint8Array {
  const session = library.session(source);
  try {
    const { committed, conflicts } = session.commit(plan);
    if (!committed) {
      const kinds = [...new Set(conflicts.map(({ kind }) => kind))].join(', ');
      throw new StowageError('INVALID', `the plan cannot run: ${kinds || 'it changes nothing'}`, 'plan');
    }
    const running = decodeInstance(session.snapshot());
    const became = becameOf(plan, listed);
    const nameOf = (app: number): string => running.apps.names?.[app] ?? `app-${app}`;
    session.apply(operationOf(event, running, (node) => listedName(running, became[node]!), nameOf));
    return session.snapshot();
  } finally {
    session.dispose();
  }
}
