// Builds dist/: schema code by flatc, types by tsc, one bundle each for browsers and Node.js, and the modules beside them. The names of
// planners in src/planner-name.ts follow from the module's catalogue.
//
// STOWAGE_WASM   the folder with the modules; default ../build/wasm/wasm, where `cmake --build --preset wasm` makes them
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const wasm = process.env.STOWAGE_WASM ?? join(root, '../build/wasm/wasm');
const modules = ['stowage.wasm', 'stowage-text.wasm', 'stowage-k8s.wasm'];
for (const file of modules) {
  if (existsSync(join(wasm, file))) continue;
  console.error(`build: there is no ${join(wasm, file)}; make it with: cmake --preset wasm && cmake --build --preset wasm`);
  process.exit(1);
}

rmSync('dist', { recursive: true, force: true });
rmSync('src/wire', { recursive: true, force: true });
const schemas = ['instance', 'request', 'plan', 'report', 'catalogue', 'session', 'learning', 'derivation'].map((name) => `../capi/schema/${name}.fbs`);
execFileSync('flatc', ['--ts', '--ts-flat-files', '-o', 'src/wire', ...schemas], { stdio: 'inherit' });

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const platform of ['browser', 'node']) {
  await build({
    entryPoints: ['src/index.ts', 'src/worker.ts'],
    outdir: `dist/${platform}`,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform,
    alias: { '#platform': `./src/platform-${platform}.ts` },
    banner: { js: `/* Stowage ${version}. Apache License 2.0. With the FlatBuffers runtime: see THIRD-PARTY.md. */` },
    logLevel: 'warning',
  });
}
mkdirSync('dist', { recursive: true });
for (const file of modules) copyFileSync(join(wasm, file), join('dist', file));
copyFileSync('../LICENSE', 'LICENSE');

const { loadStowage } = await import('../dist/node/index.js');
const names = (await loadStowage()).planners().map(({ name }) => `\n  | '${name}'`);
const file = 'src/planner-name.ts';
const text = `// Made by scripts/build.mjs from the catalogue of planners. Do not edit.

/** The names in the catalogue of planners. \`PlannerInfo\` says which of them need a solver and are refused here. */
export type PlannerName =${names.join('')};
`;
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  writeFileSync(file, text);
  console.log(`build: the catalogue has changed, and so has wasm/${file}`);
}
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: 'inherit' });
