import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { vendor } from './vendors.mjs';
import { withServer } from './with-server.mjs';

const minute = 60_000;
const assets = resolve('dist/envtest');
const caches = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kadmit-clients');

/**
 * Programs by their names. Each runs in its folder, has a folder to write to, and says 'passed', 'failed', or why it did
 * not run.
 */
export const programs = {
  go: { folder: 'go', always: true, run: goSuite('.', 'go.mod') },
  'client-go': { folder: 'go', always: true, run: goSuite('./clientgo', 'go.mod') },
  python: { folder: 'python', always: true, run: python('client.py') },
  kopf: { folder: 'python', always: true, run: python('operator_kopf.py') },
  node: { folder: 'node', always: true, run: node('client-1', 20) },
  'node-2': { folder: 'node', always: true, run: node('client-2', 22) },
  'client-go-0.35': { folder: 'go', run: goSuite('./clientgo', 'go-0.35.mod') },
  'client-go-0.34': { folder: 'go', run: goSuite('./clientgo', 'go-0.34.mod') },
  deploy: { folder: 'deploy', run: deploy },
  java: { folder: 'java', run: java },
  rust: { folder: 'rust', run: rust },
  gatekeeper: { folder: 'vendors', run: gatekeeper },
};

const execute = (program, args, { minutes, env = {}, cwd }) =>
  spawnSync(program, args, { cwd, timeout: minutes * minute, encoding: 'utf8', env: { ...process.env, ...env } });

const lastLine = (text) => text?.trim().split('\n').at(-1) || 'no word why';

function outcomeOf({ status, stdout, stderr }) {
  if (status === 0) return 'passed';
  process.stderr.write(`${stdout}${stderr}`);
  return 'failed';
}

/** Compiles with the modules of one file; where it cannot, says why instead of a path. */
function compiledGo(folder, { modfile, args, to }) {
  const go = (given, minutes) =>
    execute('go', given, { minutes, cwd: folder, env: { GOTOOLCHAIN: 'local', GOFLAGS: `-modfile=${modfile}` } });
  if (go(['version'], 1).status !== 0) return { why: 'there is no go' };
  const downloaded = go(['mod', 'download'], 3);
  if (downloaded.status !== 0) return { why: `its modules cannot be had: ${lastLine(downloaded.stderr)}` };
  const compiled = go([...args.slice(0, -1), '-o', to, args.at(-1)], 8);
  if (compiled.error?.code === 'ETIMEDOUT') return { why: 'it was not compiled within 8 minutes' };
  return compiled.status === 0 ? { path: to } : { why: outcomeOf(compiled) };
}

/** A suite of controller-runtime's envtest; its modules take a while to be compiled the first time. */
function goSuite(tests, modfile) {
  return (folder, scratch) => {
    const { path, why } = compiledGo(folder, { modfile, args: ['test', '-c', tests], to: join(scratch, 'suite') });
    if (path === undefined) return why;
    const env = { KUBEBUILDER_ASSETS: assets };
    return outcomeOf(execute(path, ['-test.v', '-test.timeout=3m'], { minutes: 4, cwd: join(folder, tests), env }));
  };
}

/** Helm and kustomize. */
async function deploy(folder, scratch) {
  const to = join(scratch, 'deploy');
  const { path, why } = compiledGo(folder, { modfile: 'go.mod', args: ['build', '.'], to });
  if (path === undefined) return why;
  return withServer(scratch, (kubeconfig) =>
    outcomeOf(execute(path, [], { minutes: 2, cwd: folder, env: { KUBECONFIG: kubeconfig } })),
  );
}

/** In an environment of its own. */
function python(script) {
  return async (folder, scratch) => {
    const own = join(scratch, 'venv');
    if (execute('python3', ['-m', 'venv', own], { minutes: 1 }).status !== 0) return 'there is no python3 with venv';
    const [pip, interpreter] = ['pip', 'python'].map((name) => join(own, 'bin', name));
    const installed = execute(pip, ['install', '-q', '-r', join(folder, 'requirements.txt')], { minutes: 3 });
    if (installed.status !== 0) return `its packages cannot be had: ${lastLine(installed.stderr)}`;
    return withServer(scratch, (kubeconfig) =>
      outcomeOf(execute(interpreter, [join(folder, script)], { minutes: 2, env: { KUBECONFIG: kubeconfig } })),
    );
  };
}

function node(version, oldest) {
  return async (folder, scratch) => {
    if (Number.parseInt(process.versions.node, 10) < oldest) return `it needs Node ${oldest}`;
    const own = join(scratch, 'node');
    cpSync(folder, own, { recursive: true });
    const installed = execute('npm', ['ci', '--no-audit', '--no-fund'], { minutes: 3, cwd: own });
    if (installed.status !== 0) return `its packages cannot be had: ${lastLine(installed.stderr)}`;
    return withServer(scratch, (kubeconfig) =>
      outcomeOf(execute('node', ['client.mjs', version], { minutes: 2, cwd: own, env: { KUBECONFIG: kubeconfig } })),
    );
  };
}

/** fabric8's client and the official one. */
async function java(folder, scratch) {
  if (execute('mvn', ['-v'], { minutes: 1 }).status !== 0) return 'there is no mvn';
  const own = join(scratch, 'java');
  cpSync(folder, own, { recursive: true });
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  const compiled = execute('mvn', ['-q', '-B', ...goals], { minutes: 6, cwd: own });
  if (compiled.status !== 0) return `it cannot be compiled: ${lastLine(compiled.stdout)}`;
  return withServer(scratch, (kubeconfig) => {
    const run = `java -cp target/classes:$(cat classpath)`;
    const both = ['-c', `${run} Fabric8 && ${run} Official`];
    return outcomeOf(execute('sh', both, { minutes: 3, cwd: own, env: { KUBECONFIG: kubeconfig } }));
  });
}

/** kube-rs: a few minutes when it is compiled for the first time, nothing afterwards. */
async function rust(folder, scratch) {
  if (execute('cargo', ['--version'], { minutes: 1 }).status !== 0) return 'there is no cargo';
  const env = { CARGO_TARGET_DIR: join(caches, 'rust') };
  const compiled = execute('cargo', ['build', '-q'], { minutes: 12, cwd: folder, env });
  if (compiled.error?.code === 'ETIMEDOUT') return 'it was not compiled within 12 minutes';
  if (compiled.status !== 0) return outcomeOf(compiled);
  const program = join(env.CARGO_TARGET_DIR, 'debug', 'kadmit-clients');
  return withServer(scratch, (kubeconfig) =>
    outcomeOf(execute(program, [], { minutes: 2, env: { KUBECONFIG: kubeconfig } })),
  );
}

/** Where a Go module lies and a program of it, compiled; or why not. */
function installedGo(module, scratch) {
  const go = (args, minutes) =>
    execute('go', args, { minutes, cwd: scratch, env: { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', GOBIN: scratch } });
  if (go(['version'], 1).status !== 0) return { why: 'there is no go' };
  const downloaded = go(['mod', 'download', '-json', module], 5);
  if (downloaded.status !== 0) return { why: `its module cannot be had: ${lastLine(downloaded.stderr)}` };
  const installed = go(['install', module], 20);
  if (installed.error?.code === 'ETIMEDOUT') return { why: 'it was not compiled within 20 minutes' };
  return installed.status === 0 ? { folder: JSON.parse(downloaded.stdout).Dir } : { why: outcomeOf(installed) };
}

/** A constraint on Namespaces, enforced by Gatekeeper with its published manifests. */
function gatekeeper(folder, scratch) {
  if (execute('kubectl', ['version', '--client'], { minutes: 1 }).status !== 0) return 'there is no kubectl';
  const { folder: published, why } = installedGo('github.com/open-policy-agent/gatekeeper/v3@v3.23.1', scratch);
  if (published === undefined) return why;
  const certificates = join(scratch, 'certs');
  const operations = ['webhook', 'mutation-webhook', 'audit', 'status', 'mutation-status', 'generate'];
  return vendor(scratch, {
    manifests: [join(published, 'deploy', 'gatekeeper.yaml')],
    run: ({ webhook }) => [
      '--as-service-account=gatekeeper-system/gatekeeper-admin',
      `--secret=gatekeeper-system/gatekeeper-webhook-server-cert=${certificates}`,
      `--service=gatekeeper-system/gatekeeper-webhook-service=${webhook}`,
    ],
    program: ({ webhook, health, metrics }) => [
      join(scratch, 'gatekeeper'),
      `--port=${webhook}`,
      `--cert-dir=${certificates}`,
      `--health-addr=127.0.0.1:${health}`,
      `--prometheus-port=${metrics}`,
      '--exempt-namespace=gatekeeper-system',
      ...operations.map((operation) => `--operation=${operation}`),
    ],
    ready: { path: '/readyz', namespace: 'gatekeeper-system', selector: 'control-plane=controller-manager' },
    steps: [
      { args: ['apply', '-f', join(folder, 'gatekeeper.yaml')] },
      { args: ['apply', '-f', join(folder, 'gatekeeper-owner.yaml')] },
      {
        args: ['create', 'namespace', 'nobodys', '--dry-run=server'],
        refused: 'denied the request: [namespaces] nobody owns it',
      },
      { args: ['apply', '-f', join(folder, 'gatekeeper-owned.yaml')], out: 'namespace/ours created' },
    ],
  });
}
