import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { kustomized, vendor } from './vendor.mjs';

/** A Job that waits for its queue until Kueue lets it go, and one whose queue cannot be. Its ports are in its ConfigMap. */
export async function kueue(folder, scratch) {
  const { folder: published, why } = builtGo('sigs.k8s.io/kueue@v0.14.0', { kueue: './cmd/kueue' }, scratch);
  if (published === undefined) return why;
  const configuration = join(scratch, 'config');
  return vendor(scratch, {
    parts: [
      {
        manifests: [kustomized(join(published, 'config', 'default'), join(scratch, 'kueue.yaml'))],
        processes: [
          {
            flags: [
              '--in-cluster',
              '--as-service-account=kueue-system/kueue-controller-manager',
              '--secret=kueue-system/kueue-webhook-server-cert=/tmp/k8s-webhook-server/serving-certs',
              `--config-map=kueue-system/kueue-manager-config=${configuration}`,
              '--service=kueue-system/kueue-webhook-service=9443',
            ],
            program: [join(scratch, 'kueue'), `--config=${join(configuration, 'controller_manager_config.yaml')}`],
          },
        ],
        ready: 'http://127.0.0.1:8081/readyz',
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'kueue-allowed.yaml')], out: 'job.batch/queued created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'kueue-refused.yaml')],
        refused: 'admission webhook "vjob.kb.io" denied the request',
      },
      { args: ['get', 'job', 'queued', '-o', 'jsonpath={.status.conditions[*].type}'], out: 'Complete' },
    ],
  });
}
