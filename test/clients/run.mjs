// Runs what is written for other clients against the build in dist/, from the root: node test/clients/run.mjs
// Each program needs its own tools; what did not run is said, and does not fail.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withServer } from './with-server.mjs';

const minute = 60_000;
const assets = resolve('dist/envtest');

/** Programs by their folder; each says 'passed', 'failed', or why it did not run. */
const clients = { go: runGo, python: runPython };

/** A suite of controller-runtime's envtest; its modules take a while to be compiled the first time. */
function runGo(folder, scratch) {
  const go = (args, minutes) =>
    spawnSync('go', args, {
      cwd: folder,
      timeout: minutes * minute,
      encoding: 'utf8',
      env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' },
    });
  if (go(['version'], 1).status !== 0) return 'there is no go';
  const downloaded = go(['mod', 'download'], 3);
  if (downloaded.status !== 0) return `its modules cannot be had: ${lastLine(downloaded.stderr)}`;
  const suite = join(scratch, 'suite');
  const compiled = go(['test', '-c', '-o', suite, '.'], 8);
  if (compiled.error?.code === 'ETIMEDOUT') return 'it was not compiled within 8 minutes';
  if (compiled.status !== 0) return failed(compiled);
  const ran = spawnSync(suite, ['-test.v', '-test.timeout=2m'], {
    cwd: folder,
    timeout: 3 * minute,
    encoding: 'utf8',
    env: { ...process.env, KUBEBUILDER_ASSETS: assets },
  });
  return ran.status === 0 ? 'passed' : failed(ran);
}

/** The official client, in an environment of its own, against a server. */
async function runPython(folder, scratch) {
  const python = (program, args, minutes, env = {}) =>
    spawnSync(program, args, { timeout: minutes * minute, encoding: 'utf8', env: { ...process.env, ...env } });
  const own = join(scratch, 'venv');
  if (python('python3', ['-m', 'venv', own], 1).status !== 0) return 'there is no python3 with venv';
  const [pip, interpreter] = ['pip', 'python'].map((name) => join(own, 'bin', name));
  const installed = python(pip, ['install', '-q', '-r', join(folder, 'requirements.txt')], 3);
  if (installed.status !== 0) return `its packages cannot be had: ${lastLine(installed.stderr)}`;
  const ran = await withServer(scratch, (kubeconfig) =>
    python(interpreter, [join(folder, 'client.py')], 2, { KUBECONFIG: kubeconfig }),
  );
  return ran.status === 0 ? 'passed' : failed(ran);
}

const lastLine = (text) => text?.trim().split('\n').at(-1) || 'no word why';

function failed({ stdout, stderr }) {
  process.stderr.write(`${stdout}${stderr}`);
  return 'failed';
}

const scratch = mkdtempSync(join(tmpdir(), 'kadmit-clients-'));
try {
  for (const [name, run] of Object.entries(clients)) {
    const begin = performance.now();
    const outcome = await run(join(import.meta.dirname, name), scratch);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const isKnown = outcome === 'passed' || outcome === 'failed';
    process.stdout.write(`${name}: ${isKnown ? `${outcome} in ${seconds} s` : `did not run: ${outcome}`}\n`);
    if (outcome === 'failed') process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true });
}
