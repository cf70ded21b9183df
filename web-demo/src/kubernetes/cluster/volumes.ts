// Where the volumes of pods can be used.
import type { Claim, NodeTerm, Objects, Volume } from '../read/types.js';
import { REGION, ZONE } from './selectors.js';

/** The volume of a claim can be used only on nodes that meet one of the terms. */
export interface Within {
  claim: string;
  terms: readonly NodeTerm[];
}

/**
 * The lists of terms that a volume imposes: its node affinity, and the zone and region of its labels, in which "__" separates
 * several.
 */
export function volumeTerms({ metadata, spec }: Volume): (readonly NodeTerm[])[] {
  const required = spec?.nodeAffinity?.required;
  const labelled = [ZONE, REGION].flatMap((key) => {
    const values = metadata?.labels?.[key];
    return values ? [[{ matchExpressions: [{ key, operator: 'In', values: values.split('__') }] }]] : [];
  });
  return [...(required ? [required.nodeSelectorTerms ?? []] : []), ...labelled];
}

export class Storage {
  private readonly claims: ReadonlyMap<string, Claim>;
  private readonly volumes: ReadonlyMap<string, Volume>;

  constructor(from: Objects) {
    this.claims = new Map(
      from.PersistentVolumeClaim.map((one) => [`${one.metadata?.namespace ?? ''}/${one.metadata?.name ?? ''}`, one]),
    );
    this.volumes = new Map(from.PersistentVolume.map((one) => [one.metadata?.name ?? '', one]));
  }

  get empty(): boolean {
    return this.claims.size === 0;
  }

  has(namespace: string, claim: string): boolean {
    return this.claims.has(`${namespace}/${claim}`);
  }

  /**
   * Where the claim can be used; undefined where the claim or its volume is not in the input. A claim without a volume gets one
   * where its pod is.
   */
  of(namespace: string, claim: string): Within[] | undefined {
    const found = this.claims.get(`${namespace}/${claim}`);
    if (found === undefined) return undefined;
    if (!found.spec?.volumeName) return [];
    const volume = this.volumes.get(found.spec.volumeName);
    return volume === undefined ? undefined : volumeTerms(volume).map((terms) => ({ claim, terms }));
  }
}

/** The same text for the same places, whatever the names of the claims. */
export const placeKey = (all: readonly Within[]): string => JSON.stringify(all.map(({ terms }) => terms));

/** Names the pods of a part, if they are few. */
export const partName = (pods: readonly string[]): string =>
  pods.length > 3 ? ` (${pods[0]!} and ${pods.length - 1} more)` : ` (${pods.join(', ')})`;
