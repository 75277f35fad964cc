import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { freePort, kustomized, vendor } from './vendor.mjs';

/** A CloneSet, whose Pods OpenKruise makes, and one that its webhook refuses. */
export async function kruise(folder, scratch) {
  const { folder: published, why } = builtGo('github.com/openkruise/kruise@v1.8.0', { kruise: '.' }, scratch);
  if (published === undefined) return why;
  const [webhook, health, metrics, pprof] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return vendor(scratch, {
    parts: [
      {
        manifests: [kustomized(join(published, 'config', 'default'), join(scratch, 'kruise.yaml'))],
        processes: [
          {
            flags: [
              '--in-cluster',
              '--as-service-account=kruise-system/kruise-manager',
              `--service=kruise-system/kruise-webhook-service=${webhook}`,
            ],
            env: { WEBHOOK_PORT: String(webhook), WEBHOOK_CERT_DIR: join(scratch, 'certs') },
            program: [
              join(scratch, 'kruise'),
              '--enable-leader-election',
              '--logtostderr=true',
              '--feature-gates=AllAlpha=true,AllBeta=true,EnableExternalCerts=false',
              `--health-probe-addr=127.0.0.1:${health}`,
              `--metrics-addr=127.0.0.1:${metrics}`,
              `--pprof-addr=127.0.0.1:${pprof}`,
            ],
          },
        ],
        ready: `http://127.0.0.1:${health}/readyz`,
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'kruise-allowed.yaml')], out: 'web created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'kruise-refused.yaml')],
        refused: 'admission webhook "vcloneset.kb.io" denied the request: spec.template.metadata.labels: Invalid value',
      },
      { args: ['get', 'cloneset', 'web', '-o', 'jsonpath={.status.readyReplicas} ready'], out: '2 ready' },
    ],
  });
}
