import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, whyNot, outcomeOf } from './execute.mjs';

/** Compiles with the modules that go.mod requires, or other `versions` of them; where it cannot, says why instead of a path. */
export function compiledGo(folder, { versions = {}, args, to }) {
  const GOFLAGS = `-mod=mod -modfile=${moduleFile(folder, versions, `${to}.mod`)}`;
  const go = (given, minutes) => execute('go', given, { minutes, cwd: folder, env: { GOTOOLCHAIN: 'local', GOFLAGS } });
  if (go(['version'], 1).status !== 0) return { why: 'there is no go' };
  const downloaded = go(['mod', 'download'], 3);
  if (downloaded.status !== 0) return { why: `its modules cannot be had: ${whyNot(downloaded)}` };
  const compiled = go([...args.slice(0, -1), '-o', to, args.at(-1)], 8);
  if (compiled.error?.code === 'ETIMEDOUT') return { why: 'it was not compiled in time' };
  return compiled.status === 0 ? { path: to } : { why: outcomeOf(compiled) };
}

/** A go.mod in the scratch folder, with these versions; Go adds what its modules require, the least version of each, and the sums. */
function moduleFile(folder, versions, path) {
  const required = readFileSync(join(folder, 'go.mod'), 'utf8');
  const chosen = required.replaceAll(/(\S+) v\S+$/gm, (as, name) =>
    name in versions ? `${name} ${versions[name]}` : as,
  );
  writeFileSync(path, chosen);
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
