import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, whyNot, outcomeOf } from './execute.mjs';

/** Compiles with the modules of go.mod, or other `versions` of them; where it cannot, says why instead of a path. */
export function compiledGo(folder, { versions, args, to }) {
  const GOFLAGS = versions ? `-mod=mod -modfile=${moduleFile(folder, versions, `${to}.mod`)}` : '-modfile=go.mod';
  const go = (given, minutes) => execute('go', given, { minutes, cwd: folder, env: { GOTOOLCHAIN: 'local', GOFLAGS } });
  if (go(['version'], 1).status !== 0) return { why: 'there is no go' };
  const downloaded = go(['mod', 'download'], 3);
  if (downloaded.status !== 0) return { why: `its modules cannot be had: ${whyNot(downloaded)}` };
  const compiled = go([...args.slice(0, -1), '-o', to, args.at(-1)], 8);
  if (compiled.error?.code === 'ETIMEDOUT') return { why: 'it was not compiled in time' };
  return compiled.status === 0 ? { path: to } : { why: outcomeOf(compiled) };
}

/** The modules that go.mod asks for by itself, in other versions; Go adds what these need, and the sums. */
function moduleFile(folder, versions, path) {
  const lines = readFileSync(join(folder, 'go.mod'), 'utf8').split('\n');
  const own = lines.filter((line) => !line.endsWith('// indirect'));
  const other = own.map((line) =>
    line.replace(/^\t(\S+) v\S+$/, (as, name) => (name in versions ? `\t${name} ${versions[name]}` : as)),
  );
  writeFileSync(path, other.join('\n'));
  return path;
}

/**
 * Where a published Go module lies, and those of its `packages` as programs in the scratch folder, compiled as in a checkout
 * of it; or why not.
 */
export function builtGo(module, packages, scratch) {
  const go = (args, minutes, cwd = scratch, mode = 'mod') =>
    execute('go', args, { minutes, cwd, env: { GOTOOLCHAIN: 'local', GOFLAGS: `-buildvcs=false -mod=${mode}` } });
  if (go(['version'], 1).status !== 0) return { why: 'there is no go' };
  const downloaded = go(['mod', 'download', '-json', module], 5);
  if (downloaded.status !== 0) return { why: `its module cannot be had: ${whyNot(downloaded)}` };
  const folder = JSON.parse(downloaded.stdout).Dir;
  for (const [name, path] of Object.entries(packages)) {
    const compiled = go(['build', '-o', join(scratch, name), path], 10, folder, 'readonly');
    if (compiled.error?.code === 'ETIMEDOUT') return { why: `${name} was not compiled in time` };
    if (compiled.status !== 0) return { why: outcomeOf(compiled) };
  }
  return { folder };
}
