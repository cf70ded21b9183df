// How an instance differs from another one, and its encoding as bytes (derivation.fbs).
import { Encoder, converting, type Offset } from './encoder.js';
import { invalid, onlyKeys } from './errors.js';
import { listed, NONE, word, type Doubles } from './lists.js';
import { Steps, type CallOptions } from './watch.js';
import * as wire from './wire/derivation_generated.js';

/** Factors on what concerns one resource; default 1. */
export interface ResourceFactors {
  /** Its name or its index. */
  resource: string | number;
  demand?: number | undefined;
  capacity?: number | undefined;
  load?: number | undefined;
}

/** What changes of one app. */
export interface AppChange {
  /** Its name or its index. */
  app: string | number;
  replicas?: number | undefined;
  /** Default 1. */
  replicaFactor?: number | undefined;
  /** Demand of one replica. Length: resources, or resources x periods. */
  demand?: Doubles | undefined;
  /** Default 1. */
  demandFactor?: number | undefined;
}

/** What changes of one node class. */
export interface ClassChange {
  /** Its name or its index. */
  nodeClass: string | number;
  /** 0 = as many as needed. */
  count?: number | undefined;
  /** Per resource. */
  capacity?: Doubles | undefined;
  /** Default 1. */
  capacityFactor?: number | undefined;
  /** Cost of one node in use. */
  price?: number | undefined;
}

/**
 * How an instance differs from another one. What is absent stays. Factors multiply each other: those for all, of a resource, and of an
 * app or a class. A number that is given outright stands as it is.
 */
export interface Derivation {
  /** Name of the instance that results. */
  name?: string | undefined;
  /** Factor on the demand of all apps. Uncertain demand scales as a whole. */
  demand?: number | undefined;
  /** Factor on the replicas of all apps, rounded up. */
  replicas?: number | undefined;
  /** Factor on the capacity of all classes. Daemon load stays. */
  capacity?: number | undefined;
  /** Factor on the load of listed nodes. Daemon load stays. */
  load?: number | undefined;
  /** Factor on the prices of all classes. */
  price?: number | undefined;
  /** Share of the affinity limits between different apps that stays, at most 1. */
  limits?: number | undefined;
  byResource?: readonly ResourceFactors[] | undefined;
  byApp?: readonly AppChange[] | undefined;
  byClass?: readonly ClassChange[] | undefined;
}

const FACTORS = ['demand', 'replicas', 'capacity', 'load', 'price', 'limits'] as const;
const KEYS: ReadonlySet<string> = new Set<keyof Derivation>(['name', ...FACTORS, 'byResource', 'byApp', 'byClass']);
const RESOURCE_KEYS: ReadonlySet<string> = new Set<keyof ResourceFactors>(['resource', 'demand', 'capacity', 'load']);
const APP_KEYS: ReadonlySet<string> = new Set<keyof AppChange>(['app', 'replicas', 'replicaFactor', 'demand', 'demandFactor']);
const CLASS_KEYS: ReadonlySet<string> = new Set<keyof ClassChange>(['nodeClass', 'count', 'capacity', 'capacityFactor', 'price']);

function number(value: number | undefined, absent: number, path: string): number {
  if (value === undefined) return absent;
  if (typeof value !== 'number') throw invalid(path, 'must be a number');
  return value;
}

/** A price: a negative one would stand for an absent one. */
function price(value: number | undefined, path: string): number {
  if (value !== undefined && value < 0) throw invalid(path, 'must be a number, not below 0');
  return number(value, -1, path);
}

/** A count, or the number for an absent one, which is no count. */
function count(value: number | undefined, path: string): number {
  if (value === NONE) throw invalid(path, 'must be a whole number below 4294967295');
  return value === undefined ? NONE : word(value, path);
}

class DerivationEncoder extends Encoder {
  run(from: Derivation): Uint8Array {
    if (typeof from !== 'object' || from === null) throw invalid('', 'must be an object');
    onlyKeys(from, KEYS, '');
    const byResource = this.tables(from.byResource, RESOURCE_KEYS, 'by_resource', (one, path) => this.resource(one, path));
    const byApp = this.tables(from.byApp, APP_KEYS, 'by_app', (one, path) => this.app(one, path));
    const byClass = this.tables(from.byClass, CLASS_KEYS, 'by_class', (one, path) => this.nodeClass(one, path));
    const name = this.text(from.name, 'name');
    const [demand, replicas, capacity, load, costs, limits] = FACTORS.map((key) => number(from[key], 1, key)) as [
      number, number, number, number, number, number,
    ];
    wire.Derivation.finishDerivationBuffer(
      this.builder,
      wire.Derivation.createDerivation(
        this.builder, 1, name, demand, replicas, capacity, load, costs, limits, byResource, byApp, byClass,
      ),
    );
    return this.builder.asUint8Array();
  }

  private tables<Item extends object>(
    list: readonly Item[] | undefined,
    keys: ReadonlySet<string>,
    path: string,
    table: (one: Item, path: string) => Offset,
  ): Offset {
    const offsets = listed(list, path).map((one, k) => {
      const at = `${path}[${k}]`;
      if (typeof one !== 'object' || one === null) throw invalid(at, 'must be an object');
      onlyKeys(one, keys, at);
      return table(one, at);
    });
    return offsets.length === 0 ? 0 : this.vector(offsets);
  }

  /** A name or an index, as the two fields of a table. */
  private reference(value: string | number, path: string): [name: Offset, index: number] {
    if (typeof value !== 'string') return [0, word(value, path)];
    if (value === '') throw invalid(path, 'is empty; give the index');
    return [this.required(value, path), NONE];
  }

  private resource(one: ResourceFactors, path: string): Offset {
    const [name, index] = this.reference(one.resource, `${path}.resource`);
    const factor = (key: 'demand' | 'capacity' | 'load'): number => number(one[key], 1, `${path}.${key}`);
    return wire.ResourceFactors.createResourceFactors(
      this.builder, name, index, factor('demand'), factor('capacity'), factor('load'),
    );
  }

  private app(one: AppChange, path: string): Offset {
    const [name, index] = this.reference(one.app, `${path}.app`);
    const demand = this.doubles(one.demand, `${path}.demand`);
    return wire.AppChange.createAppChange(
      this.builder, name, index, count(one.replicas, `${path}.replicas`), number(one.replicaFactor, 1, `${path}.replica_factor`),
      demand, number(one.demandFactor, 1, `${path}.demand_factor`),
    );
  }

  private nodeClass(one: ClassChange, path: string): Offset {
    const [name, index] = this.reference(one.nodeClass, `${path}.node_class`);
    const capacity = this.doubles(one.capacity, `${path}.capacity`);
    return wire.ClassChange.createClassChange(
      this.builder, name, index, count(one.count, `${path}.count`), capacity,
      number(one.capacityFactor, 1, `${path}.capacity_factor`), price(one.price, `${path}.price`),
    );
  }
}

/** The bytes of a derivation. */
export function encodeDerivation(derivation: Derivation, options: CallOptions = {}): Uint8Array {
  return writeDerivation(derivation, new Steps(options));
}

export function writeDerivation(derivation: Derivation, steps: Steps): Uint8Array {
  return converting('a derivation', steps, () => new DerivationEncoder(256, steps).run(derivation));
}
