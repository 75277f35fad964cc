import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execute, whyNot, outcomeOf } from './execute.mjs';
import { compiledGo } from './go.mjs';

const kind = ['--group=batch', '--version=v1', '--kind=CronJob'];
const pod = ['--group=core', '--version=v1', '--kind=Pod'];
const hooks = ['--defaulting', '--programmatic-validation'];

/** What a user of kubebuilder types. */
const scaffolding = [
  ['init', '--domain=example.org', '--repo=example.org/shop'],
  ['create', 'api', ...kind, '--resource', '--controller'],
  ['create', 'webhook', ...kind, ...hooks],
  ['create', 'api', ...pod, '--resource=false', '--controller=false'],
  ['create', 'webhook', ...pod, ...hooks],
];

/**
 * A project that kubebuilder makes: its suites as they are, then with the first line of a validator and a spec for it. Its
 * `make test` would download kube-apiserver and etcd; what it does besides is done here.
 */
export function scaffold(folder, scratch) {
  const to = join(scratch, 'kubebuilder');
  const { path, why } = compiledGo(folder, { args: ['build', 'sigs.k8s.io/kubebuilder/v4'], to });
  if (path === undefined) return why;
  const project = join(scratch, 'shop');
  mkdirSync(project);
  const env = { GOTOOLCHAIN: 'local', KUBEBUILDER_ASSETS: resolve('dist/envtest') };
  const inProject = (program, args) => execute(program, args, { minutes: 8, cwd: project, env });
  for (const args of scaffolding) {
    const made = inProject(path, args);
    if (made.status !== 0) return `kubebuilder ${args[0]} failed: ${whyNot(made)}`;
  }
  const suites = ['test', './api/...', './cmd/...', './internal/...'];
  const made = inProject('make', ['manifests', 'generate', 'fmt', 'vet']);
  if (made.status !== 0) return outcomeOf(made);
  const asScaffolded = inProject('go', suites);
  if (asScaffolded.status !== 0) return outcomeOf(asScaffolded);
  const webhooks = join(project, 'internal', 'webhook', 'v1');
  copyFileSync(join(folder, 'testdata', 'served_test.go'), join(webhooks, 'served_test.go'));
  fillIn(join(webhooks, 'cronjob_webhook.go'));
  return outcomeOf(inProject('go', suites));
}

/** The validator gets a line where the scaffold wants one. */
function fillIn(file) {
  const place = '// TODO(user): fill in your validation logic upon object creation.';
  const line = 'if cronjob.GetName() == "forbidden" {\n\t\treturn nil, fmt.Errorf("this name is forbidden")\n\t}';
  writeFileSync(file, readFileSync(file, 'utf8').replace(place, line));
}
