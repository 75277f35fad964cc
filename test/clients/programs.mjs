import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { caches } from './caches.mjs';
import { execute, whyNot, outcomeOf, patience } from './execute.mjs';
import { examples } from './examples.mjs';
import { compiledGo } from './go.mjs';
import { node } from './node.mjs';
import { recipes } from './recipes.mjs';
import { scaffold } from './scaffold.mjs';
import { certManager } from './vendors/cert-manager.mjs';
import { gatekeeper } from './vendors/gatekeeper.mjs';
import { jobset } from './vendors/jobset.mjs';
import { kruise } from './vendors/kruise.mjs';
import { kueue } from './vendors/kueue.mjs';
import { kyverno } from './vendors/kyverno.mjs';
import { lws } from './vendors/lws.mjs';
import { opentelemetry } from './vendors/opentelemetry.mjs';
import { tekton } from './vendors/tekton.mjs';
import { withServer } from './with-server.mjs';

const assets = resolve('dist/envtest');

const kubernetes = (version) =>
  Object.fromEntries(
    ['api', 'apimachinery', 'client-go', 'component-base', 'kubectl'].map((name) => [`k8s.io/${name}`, version]),
  );
const withRuntime = (version, runtime) => ({ ...kubernetes(version), 'sigs.k8s.io/controller-runtime': runtime });
const [go036, go035, go034, go033] = [
  withRuntime('v0.36.2', 'v0.24.1'),
  withRuntime('v0.35.0', 'v0.23.1'),
  withRuntime('v0.34.1', 'v0.22.4'),
  withRuntime('v0.33.0', 'v0.21.0'),
];

/**
 * Programs by their names. Each runs in its folder, has a folder to write to, and says 'passed', 'failed', or why it did
 * not run.
 */
export const programs = {
  go: { folder: 'go', always: true, run: goSuite('.') },
  'client-go': { folder: 'go', always: true, run: goSuite('./clientgo') },
  python: { folder: 'python', always: true, run: python('client.py') },
  kopf: { folder: 'python', always: true, run: python('operator_kopf.py') },
  node: { folder: 'node', always: true, run: node('client-1', 20) },
  'node-2': { folder: 'node', always: true, run: node('client-2', 22) },
  recipes: { folder: '../../docs/guides', always: true, run: recipes },
  'go-0.36': { folder: 'go', rare: true, run: goSuite('.', go036) },
  'client-go-0.36': { folder: 'go', run: goSuite('./clientgo', go036) },
  'client-go-0.35': { folder: 'go', run: goSuite('./clientgo', go035) },
  // Clients of a release, against that release.
  'go-0.36 on 1.36': { folder: 'go', rare: true, run: goSuite('.', go036, '1.36') },
  'go-0.35 on 1.35': { folder: 'go', rare: true, run: goSuite('.', go035, '1.35') },
  'client-go-0.36 on 1.36': { folder: 'go', rare: true, run: goSuite('./clientgo', go036, '1.36') },
  'client-go-0.35 on 1.35': { folder: 'go', rare: true, run: goSuite('./clientgo', go035, '1.35') },
  'client-go-0.34 on 1.34': { folder: 'go', rare: true, run: goSuite('./clientgo', go034, '1.34') },
  'client-go-0.33 on 1.33': { folder: 'go', rare: true, run: goSuite('./clientgo', go033, '1.33') },
  'kubectl on 1.33': { folder: 'kubectl', run: () => kubectlTests({ KUBERNETES_VERSION: '1.33' }) },
  deploy: { folder: 'deploy', run: deploy },
  java: { folder: 'java', run: java },
  rust: { folder: 'rust', run: rust },
  'kubectl-1.37': { folder: 'kubectl', rare: true, run: kubectl('v1.37.2') },
  'kubectl-1.36': { folder: 'kubectl', rare: true, run: kubectl('v1.36.2', kubernetes('v0.36.2')) },
  'kubectl-1.35': { folder: 'kubectl', rare: true, run: kubectl('v1.35.1', kubernetes('v0.35.1')) },
  'kubectl-1.34': { folder: 'kubectl', rare: true, run: kubectl('v1.34.0', kubernetes('v0.34.0')) },
  examples: { folder: 'examples', rare: true, run: examples },
  scaffold: { folder: 'scaffold', rare: true, run: scaffold },
  gatekeeper: { folder: 'vendors', rare: true, run: gatekeeper },
  'cert-manager': { folder: 'vendors', rare: true, run: certManager },
  kueue: { folder: 'vendors', rare: true, run: kueue },
  kyverno: { folder: 'vendors', rare: true, run: kyverno },
  opentelemetry: { folder: 'vendors', rare: true, run: opentelemetry },
  kruise: { folder: 'vendors', rare: true, run: kruise },
  jobset: { folder: 'vendors', rare: true, run: jobset },
  lws: { folder: 'vendors', rare: true, run: lws },
  tekton: { folder: 'vendors', rare: true, run: tekton },
};

/** A suite of controller-runtime's envtest, against a release or the one that is followed; its modules take a while to be compiled the first time. */
function goSuite(tests, versions, release = '') {
  return (folder, scratch) => {
    const { path, why } = compiledGo(folder, { versions, args: ['test', '-c', tests], to: join(scratch, 'suite') });
    if (path === undefined) return why;
    const env = { KUBEBUILDER_ASSETS: assets, KADMIT_KUBERNETES_VERSION: release };
    return outcomeOf(
      execute(path, ['-test.v', `-test.timeout=${3 * patience}m`], { minutes: 4, cwd: join(folder, tests), env }),
    );
  };
}

/** kubectl from its modules, with what the tests have it do beside the kubectl of the PATH. */
function kubectl(version, versions) {
  return (folder, scratch) => {
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version);
    const named = { gitVersion: version, gitMajor: major, gitMinor: minor };
    const flags = Object.entries(named).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    const args = ['build', `-ldflags=-s -w ${flags.join(' ')}`, '.'];
    const { path, why } = compiledGo(folder, { versions, args, to: join(scratch, `kubectl.${major}.${minor}`) });
    if (path === undefined) return why;
    return kubectlTests({ KUBECTLS: path });
  };
}

/** What the tests have kubectl do. */
function kubectlTests(env) {
  const tests = ['objects', 'cluster', 'webhooks', 'workloads'].map((name) => `test/programs/kubectl-${name}.test.ts`);
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  return outcomeOf(execute('node', [vitest, 'run', '--project', 'programs', ...tests], { minutes: 8, env }));
}

/** Helm and kustomize. */
async function deploy(folder, scratch) {
  const to = join(scratch, 'deploy');
  const { path, why } = compiledGo(folder, { args: ['build', '.'], to });
  if (path === undefined) return why;
  return withServer(scratch, (kubeconfig) =>
    outcomeOf(execute(path, [], { minutes: 2, cwd: folder, env: { KUBECONFIG: kubeconfig } })),
  );
}

/** In an environment of its own. */
function python(script) {
  return async (folder, scratch) => {
    const own = join(scratch, 'venv');
    const made = execute('python3', ['-m', 'venv', own], { minutes: 3 });
    if (made.status !== 0) return `there is no python3 with venv: ${whyNot(made)}`;
    const [pip, interpreter] = ['pip', 'python'].map((name) => join(own, 'bin', name));
    const installed = execute(pip, ['install', '-q', '-r', join(folder, 'requirements.txt')], { minutes: 3 });
    if (installed.status !== 0) return `its packages cannot be had: ${whyNot(installed)}`;
    return withServer(scratch, (kubeconfig) =>
      outcomeOf(execute(interpreter, [join(folder, script)], { minutes: 2, env: { KUBECONFIG: kubeconfig } })),
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
  if (compiled.status !== 0) return `it cannot be compiled: ${whyNot(compiled)}`;
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
  if (compiled.error?.code === 'ETIMEDOUT') return 'it was not compiled in time';
  if (compiled.status !== 0) return outcomeOf(compiled);
  const program = join(env.CARGO_TARGET_DIR, 'debug', 'kadmit-clients');
  return withServer(scratch, (kubeconfig) =>
    outcomeOf(execute(program, [], { minutes: 2, env: { KUBECONFIG: kubeconfig } })),
  );
}
