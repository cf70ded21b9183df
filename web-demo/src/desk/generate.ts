// Generates workloads with sizes, replicas and densities similar to those of the published data. This is a simpler model of the
// same distributions than the generator of docs/reference/generate.md.
import type { InstanceColumns, LimitColumns } from 'stowage';
import { scenarios } from 'virtual:scenarios';
import type { Preset } from '../presets.js';
import { Random, byWeight } from './random.js';

export const PERIODS = 24;
const NODE = { cpu: 64, memory: 128 };

/** Weight, CPU, memory. */
const SIZES = byWeight([
  [4305, 1, 8],
  [971, 2, 8],
  [861, 4, 8],
  [604, 1, 2],
  [399, 1, 1],
  [381, 3, 8],
  [370, 6, 8],
  [136, 5, 8],
  [127, 1, 16],
  [120, 1, 7],
  [101, 1, 3],
  [85, 1, 6],
  [79, 1, 4],
  [74, 2, 16],
  [72, 12, 16],
  [59, 1, 5],
  [53, 4, 16],
  [49, 8, 16],
  [45, 3, 16],
  [44, 2, 2],
  [29, 6, 16],
  [27, 1, 32],
  [20, 5, 16],
  [17, 16, 32],
  [17, 24, 32],
  [15, 36, 48],
]);

/** Weight, and the range of a uniform number of replicas. */
const REPLICAS = byWeight([
  [290, 1, 1],
  [300, 2, 2],
  [90, 3, 3],
  [75, 4, 4],
  [40, 5, 5],
  [60, 6, 8],
  [45, 9, 12],
  [45, 13, 19],
  [38, 20, 36],
  [12, 40, 76],
  [4, 82, 146],
  [1, 190, 254],
]);

/** Weight and value of an affinity limit. */
const LIMITS = byWeight([
  [13144, 0],
  [6556, 1],
  [3992, 2],
  [361, 3],
  [25, 4],
]);

export const MOST_APPS = 100_000;
const MOST_LIMITS = 60_000_000;

/** Apps between two yields. */
const STEP = 256;
/** The part of the work that draws apps, roughly. */
const APPS_SHARE = 0.2;

/** Draws limits between different apps uniformly, and yields the share that is drawn. */
export function* drawLimits(apps: number, density: number, seed: number): Generator<number, LimitColumns> {
  const random = new Random(seed, 1);
  const mean = density * (apps - 1);
  const deviation = Math.sqrt(mean * (1 - density));
  if (mean * apps > MOST_LIMITS) throw new RangeError(`${Math.round(mean * apps)} limits are too many for a page`);
  const rowBegin = new Uint32Array(apps + 1);
  const target = new Uint32Array(Math.ceil((mean + 6 * deviation + 1) * apps));
  const taken = new Uint32Array(apps);
  let size = 0;
  for (let app = 0; app < apps; ++app) {
    const wanted = Math.round(mean + deviation * random.nearlyNormal());
    const row = Math.min(apps - 1, Math.max(0, wanted));
    taken[app] = app + 1;
    for (let k = 0; k < row; ++k) {
      let other = random.below(apps);
      while (taken[other] === app + 1) other = other + 1 === apps ? 0 : other + 1;
      taken[other] = app + 1;
      target[size + k] = other;
    }
    target.subarray(size, size + row).sort();
    size += row;
    rowBegin[app + 1] = size;
    if (app % STEP === 0) yield app / apps;
  }
  const atMost = new Uint32Array(size);
  for (let k = 0; k < size; ++k) atMost[k] = random.weighted(LIMITS)[1];
  return { rowBegin, app: target.slice(0, size), atMost };
}

/** A daily profile between `low` and 1: one peak that most apps share, and smooth noise. */
function drawCourse(random: Random, low: number): number[] {
  const peak = 14 + 3 * random.nearlyNormal();
  const phase = random.uniform();
  const values = Array.from({ length: PERIODS }, (_, period) => {
    const day = Math.cos((2 * Math.PI * (period - peak)) / PERIODS);
    return day + 0.4 * Math.sin(2 * Math.PI * ((3 * period) / PERIODS + phase)) + 0.2 * random.nearlyNormal();
  });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => low + ((1 - low) * (value - least)) / (most - least));
}

const thousandth = (value: number): number => Math.max(0.001, Math.round(value * 1000) / 1000);

/** Generates the instance of a preset, and yields the share that is done. */
export function* generate({ preset, apps, density, seed }: Preset): Generator<number, InstanceColumns> {
  const fixed = scenarios[preset];
  if (fixed !== undefined) return fixed;
  const periods = preset === 'periods' ? PERIODS : 1;
  const random = new Random(seed);
  const replicas = new Uint32Array(apps);
  const demand = new Float64Array(apps * 2 * periods);
  const names: string[] = [];
  for (let app = 0; app < apps; ++app) {
    names.push(`app-${app + 1}`);
    const [, cpu, memory] = random.weighted(SIZES);
    const [, low, high] = random.weighted(REPLICAS);
    replicas[app] = low + random.below(high - low + 1);
    [cpu, memory].forEach((size, resource) => {
      const begin = (2 * app + resource) * periods;
      const constant = periods === 1 || random.uniform() < (resource === 0 ? 0.4 : 0.6);
      const course = constant ? undefined : drawCourse(random, resource === 0 ? 0.15 : 0.6);
      for (let period = 0; period < periods; ++period)
        demand[begin + period] = course ? thousandth(size * course[period]!) : size;
    });
    if (app % STEP === 0) yield (APPS_SHARE * app) / apps;
  }
  const drawing = drawLimits(apps, density, seed);
  let drawn = drawing.next();
  for (; drawn.done !== true; drawn = drawing.next()) yield APPS_SHARE + (1 - APPS_SHARE) * drawn.value;
  const percent = Number((100 * density).toFixed(3));
  return {
    name: `${apps} apps, ${percent} % density${periods > 1 ? `, ${periods} periods` : ''}`,
    resources: [
      { name: 'cpu', unit: 'cores' },
      { name: 'memory', unit: 'GiB' },
    ],
    periods,
    apps: { names, replicas, demand },
    classes: [{ name: 'node', capacity: Float64Array.of(NODE.cpu, NODE.memory) }],
    limits: drawn.value,
  };
}
