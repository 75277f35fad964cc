import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { caches } from './caches.mjs';
import { execute, outcomeOf, whyNot } from './execute.mjs';
import { withServer } from './with-server.mjs';

/** The official Node client, in this version of it, with a Node that is not older than `oldest`. */
export function node(version, oldest) {
  return async (folder, scratch) => {
    const { path, why } = interpreter(oldest);
    if (path === undefined) return why;
    const own = join(scratch, 'node');
    cpSync(folder, own, { recursive: true });
    const installed = execute('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { minutes: 3, cwd: own });
    if (installed.status !== 0) return `its packages cannot be had: ${whyNot(installed)}`;
    return withServer(scratch, (kubeconfig) =>
      outcomeOf(execute(path, ['client.mjs', version], { minutes: 2, cwd: own, env: { KUBECONFIG: kubeconfig } })),
    );
  };
}

/** This Node, or where it is too old the one of the npm package `node`, once fetched. */
function interpreter(oldest) {
  if (Number.parseInt(process.versions.node, 10) >= oldest) return { path: process.execPath };
  const folder = join(caches, `node-${oldest}`);
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  const isThere = () => existsSync(path) && execute(path, ['--version'], { minutes: 1 }).status === 0;
  if (isThere()) return { path };
  mkdirSync(folder, { recursive: true });
  // Its install script fetches the package of this platform.
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false', '--prefix', folder];
  const installed = execute('npm', ['install', ...flags, `node@${oldest}`], { minutes: 5, cwd: folder });
  return isThere() ? { path } : { why: `it needs Node ${oldest}, which npm does not give: ${whyNot(installed)}` };
}
