import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { freePort, vendor } from './vendor.mjs';

const namespace = 'kyverno';
const account = 'kyverno-admission-controller';

/**
 * A policy of Kyverno's that wants a label and gives another one. Its admission controller makes its certificates and its
 * configurations of webhooks, those of the policy among them, itself.
 */
export async function kyverno(folder, scratch) {
  const module = 'github.com/kyverno/kyverno@v1.19.1';
  const { folder: published, why } = builtGo(module, { kyverno: './cmd/kyverno' }, scratch);
  if (published === undefined) return why;
  const [webhook, metrics, more] = [await freePort(), await freePort(), await freePort()];
  return vendor(scratch, {
    parts: [
      {
        manifests: [join(published, 'config', 'install-latest-testing.yaml')],
        processes: [
          {
            flags: [
              '--in-cluster',
              `--as-service-account=${namespace}/${account}`,
              `--service=${namespace}/kyverno-svc=${webhook}`,
            ],
            // As the Deployment of the manifests has them.
            env: {
              INIT_CONFIG: 'kyverno',
              METRICS_CONFIG: 'kyverno-metrics',
              KYVERNO_NAMESPACE: namespace,
              KYVERNO_POD_NAME: 'local',
              KYVERNO_SERVICEACCOUNT_NAME: account,
              KYVERNO_ROLE_NAME: 'kyverno:admission-controller',
              KYVERNO_SVC: 'kyverno-svc',
              KYVERNO_DEPLOYMENT: account,
              TUF_ROOT: join(scratch, 'sigstore'),
            },
            program: [
              join(scratch, 'kyverno'),
              '--caSecretName=kyverno-svc.kyverno.svc.kyverno-tls-ca',
              '--tlsSecretName=kyverno-svc.kyverno.svc.kyverno-tls-pair',
              `--backgroundServiceAccountName=system:serviceaccount:${namespace}:kyverno-background-controller`,
              `--reportsServiceAccountName=system:serviceaccount:${namespace}:kyverno-reports-controller`,
              `--webhookServerPort=${webhook}`,
              '--otelConfig=prometheus',
              `--metricsPort=${metrics}`,
              `--controllerRuntimeMetricsAddress=127.0.0.1:${more}`,
            ],
          },
        ],
        ready: `http://127.0.0.1:${metrics}/metrics`,
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'kyverno-policy.yaml')], out: 'clusterpolicy' },
      {
        args: ['get', 'clusterpolicy', 'owned', '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].status}'],
        out: 'True',
      },
      {
        args: ['create', 'configmap', 'nobodys', '--dry-run=server'],
        refused: 'resource ConfigMap/default/nobodys was blocked due to the following policies',
      },
      { args: ['apply', '-f', join(folder, 'testdata', 'kyverno-owned.yaml')], out: 'configmap/ours created' },
      { args: ['get', 'configmap', 'ours', '-o', 'jsonpath={.metadata.labels.seen}'], out: 'yes' },
    ],
  });
}
