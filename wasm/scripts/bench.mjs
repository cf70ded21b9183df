// Measures plan times of the module in Node.js and of the native command in turn on the same instance. Fails if their plans
// differ.
//
// Usage: node scripts/bench.mjs INSTANCE.stow [PLANNER...]    default: ff spread-wfd-avg-binsearch auto
//   STOWAGE_CLI   the native command; default ../build/release/capi/cli/stowage
//   RUNS          number of runs of each, of which the fastest counts; default 5
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadStowage } from '../dist/node/index.js';

const [file, ...named] = process.argv.slice(2);
const planners = named.length > 0 ? named : ['ff', 'spread-wfd-avg-binsearch', 'auto'];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = process.env.STOWAGE_CLI ?? join(root, '../build/release/capi/cli/stowage');
const runs = Number(process.env.RUNS ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'stowage-bench-'));
const output = join(folder, 'plan.stow');
const native = (planner, ...options) =>
  JSON.parse(
    execFileSync(cli, ['plan', file, '--planner', planner, '--summary', 'json', '--output', output, ...options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );

try {
  const stowage = await loadStowage();
  const instance = stowage.instance(readFileSync(file));
  const limits = new Map(stowage.planners().map(({ name, defaultDeadlineMs }) => [name, defaultDeadlineMs]));
  console.log('| planner | nodes | native, ms | WASM, ms | ratio |\n|---|---|---|---|---|');
  for (const planner of planners) {
    // A planner that runs until a deadline gets a work limit instead, so that both runs end at the same point.
    const workLimit = limits.get(planner) === undefined ? 0 : Number(native(planner).work);
    const options = workLimit === 0 ? [] : ['--work', String(workLimit)];
    let [nativeBest, wasmBest, nodes] = [Infinity, Infinity, 0];
    for (let run = 0; run < runs; ++run) {
      const summary = native(planner, ...options);
      nativeBest = Math.min(nativeBest, 1000 * summary.seconds.plan);
      const begin = performance.now();
      const plan = instance.plan({ planner, workLimit });
      wasmBest = Math.min(wasmBest, performance.now() - begin);
      nodes = plan.nodes;
      if (!readFileSync(output).equals(plan.bytes)) throw new Error(`${planner}: the plans differ`);
    }
    const label = workLimit === 0 ? planner : `${planner}, work ${workLimit}`;
    console.log(
      `| ${label} | ${nodes} | ${nativeBest.toFixed(1)} | ${wasmBest.toFixed(1)} | ${(wasmBest / nativeBest).toFixed(2)} |`,
    );
  }
  console.log(`\nNode.js ${process.version}, memory of the module ${Math.round(stowage.memoryBytes / 2 ** 20)} MiB`);
} finally {
  rmSync(folder, { recursive: true });
}
