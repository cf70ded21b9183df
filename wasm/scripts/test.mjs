// Packs the package, installs the tarball into an empty folder as a user would, and runs the tests there.
//
// Usage: node scripts/test.mjs [TEST...]    such as: worker differential
//   STOWAGE_WASM   the folder with the modules; default ../build/wasm/wasm
//   STOWAGE_CLI    the native command, for the differential tests; default ../build/release/capi/cli/stowage
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'stowage-'));
const npm = (...args) => execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
try {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  npm('install', '--prefix', folder, '--offline', '--ignore-scripts', join(folder, filename));
  cpSync(join(root, 'test'), join(folder, 'test'), { recursive: true });
  copyFileSync(join(root, 'README.md'), join(folder, 'README.md'));
  const wanted = process.argv.slice(2).map((name) => `${name}.test.mjs`);
  const tests = readdirSync(join(folder, 'test'))
    .filter((name) => name.endsWith('.test.mjs') && (wanted.length === 0 || wanted.includes(name)))
    .map((name) => join('test', name));
  if (tests.length === 0) throw new Error(`no such tests: ${wanted.join(' ')}`);
  const { status } = spawnSync(process.execPath, ['--test', ...tests], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, STOWAGE_SOURCE: dirname(root) },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
