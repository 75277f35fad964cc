import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, outcomeOf } from '../execute.mjs';
import { builtGo } from '../go.mjs';
import { freePort, vendor } from './vendor.mjs';

const version = 'v1.11.5';
const module = `github.com/cert-manager/cert-manager@${version}`;

/** A Certificate without a secretName is refused by cert-manager's webhook, whose CA the cainjector has written. */
export async function certManager(folder, scratch) {
  const { part, why } = await certManagerPart(scratch);
  if (part === undefined) return why;
  return vendor(scratch, {
    parts: [part],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'cert-manager-allowed.yaml')], out: 'allowed created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'cert-manager-refused.yaml')],
        refused: 'admission webhook "webhook.cert-manager.io" denied the request: spec.secretName: Required value',
      },
    ],
  });
}

/**
 * cert-manager with its webhook and cainjector, or why not. It is the last version whose programs are in its module; those
 * of later ones are modules that were never published.
 */
export async function certManagerPart(scratch) {
  const programs = { webhook: './cmd/webhook', cainjector: './cmd/cainjector' };
  const { folder: published, why } = builtGo(module, programs, scratch);
  if (published === undefined) return { why };
  const helm = builtGo('helm.sh/helm/v3@v3.19.0', { helm: './cmd/helm' }, scratch);
  if (helm.folder === undefined) return { why: helm.why };
  const manifests = join(scratch, 'cert-manager.yaml');
  const rendered = renderChart(join(published, 'deploy'), { scratch, manifests });
  if (rendered !== 'passed') return { why: rendered };
  const [webhook, health] = [await freePort(), await freePort()];
  const account = (name) => `--as-service-account=cert-manager/${name}`;
  const names = ['cert-manager-webhook', 'cert-manager-webhook.cert-manager', 'cert-manager-webhook.cert-manager.svc'];
  const cainjector = {
    flags: [account('cert-manager-cainjector'), '--in-cluster'],
    program: [join(scratch, 'cainjector'), '--leader-election-namespace=kube-system'],
  };
  const server = {
    flags: [account('cert-manager-webhook'), '--in-cluster', `--service=cert-manager/cert-manager-webhook=${webhook}`],
    program: [
      join(scratch, 'webhook'),
      `--secure-port=${webhook}`,
      `--healthz-port=${health}`,
      '--dynamic-serving-ca-secret-namespace=cert-manager',
      '--dynamic-serving-ca-secret-name=cert-manager-webhook-ca',
      ...names.map((name) => `--dynamic-serving-dns-names=${name}`),
    ],
  };
  const ready = `http://127.0.0.1:${health}/healthz`;
  return {
    part: { namespace: 'cert-manager', manifests: [manifests], processes: [cainjector, server], ready },
  };
}

/** The chart as a release has it: with its version and the definitions among the templates. */
function renderChart(deploy, { scratch, manifests }) {
  const chart = join(scratch, 'chart');
  execute('cp', ['-r', join(deploy, 'charts', 'cert-manager'), chart], { minutes: 1 });
  execute('chmod', ['-R', 'u+w', chart], { minutes: 1 });
  const named = readFileSync(join(chart, 'Chart.template.yaml'), 'utf8').replaceAll('v0.1.0', version);
  writeFileSync(join(chart, 'Chart.yaml'), named);
  for (const name of readdirSync(join(deploy, 'crds')).filter((one) => one.endsWith('.yaml')))
    copyFileSync(join(deploy, 'crds', name), join(chart, 'templates', name));
  const flags = ['--namespace=cert-manager', '--kube-version=1.36.2', '--set=installCRDs=true'];
  const done = execute(join(scratch, 'helm'), ['template', 'cert-manager', chart, ...flags], { minutes: 1 });
  if (done.status === 0) writeFileSync(manifests, done.stdout);
  return outcomeOf(done);
}
