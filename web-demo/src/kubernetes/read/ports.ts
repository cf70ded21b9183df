// Ports of the host that pods use.
import { isSidecar } from './amounts.js';
import type { PodSpec } from './types.js';

export interface HostPort {
  hostPort: number;
  hostIP: string;
  protocol: string;
}

/** What the scheduler takes an empty address for. */
const ANY_ADDRESS = '0.0.0.0';

/** Host ports that a pod holds as long as it runs, with what the API server sets by default. */
export const portsOf = (spec: PodSpec): HostPort[] =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, containerPort, hostIP, protocol }) => {
      const port = hostPort || (spec.hostNetwork === true ? containerPort : 0);
      return port ? [{ hostPort: port, hostIP: hostIP || ANY_ADDRESS, protocol: protocol || 'TCP' }] : [];
    }),
  );

/** Whether one of some ports is one of others. */
export const clash = (ports: readonly HostPort[], others: readonly HostPort[]): boolean =>
  ports.some(({ hostPort, hostIP, protocol }) =>
    others.some(
      (its) =>
        (its.hostIP === hostIP || its.hostIP === ANY_ADDRESS || hostIP === ANY_ADDRESS) &&
        its.hostPort === hostPort &&
        its.protocol === protocol,
    ),
  );
