import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs `use` while the built kadmit serves, with these flags besides; it gets the path of the kubeconfig. */
export async function withServer(folder, use, more = []) {
  const kubeconfig = join(folder, 'kubeconfig');
  const flags = [
    '--secure-port=0',
    '--ui-port=-1',
    `--cert-dir=${folder}`,
    `--write-kubeconfig=${kubeconfig}`,
    ...more,
  ];
  const server = spawn(process.execPath, ['dist/main.js', 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  try {
    await Promise.race([
      once(server.stdout, 'data'),
      ended.then(() => Promise.reject(new Error('kadmit did not start'))),
    ]);
    server.stdout.resume();
    return await use(kubeconfig);
  } finally {
    server.kill();
    await ended;
  }
}
