import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { freePort, vendor } from './vendor.mjs';

/** A constraint on Namespaces, enforced by Gatekeeper with its published manifests. */
export async function gatekeeper(folder, scratch) {
  const { folder: published, why } = builtGo(
    'github.com/open-policy-agent/gatekeeper/v3@v3.23.1',
    { gatekeeper: '.' },
    scratch,
  );
  if (published === undefined) return why;
  const [webhook, health, metrics] = [await freePort(), await freePort(), await freePort()];
  const certificates = join(scratch, 'certs');
  const operations = ['webhook', 'mutation-webhook', 'audit', 'status', 'mutation-status', 'generate'];
  return vendor(scratch, {
    parts: [
      {
        manifests: [join(published, 'deploy', 'gatekeeper.yaml')],
        ownPod: { namespace: 'gatekeeper-system', selector: 'control-plane=controller-manager' },
        processes: [
          {
            flags: [
              '--as-service-account=gatekeeper-system/gatekeeper-admin',
              `--secret=gatekeeper-system/gatekeeper-webhook-server-cert=${certificates}`,
              `--service=gatekeeper-system/gatekeeper-webhook-service=${webhook}`,
            ],
            program: [
              join(scratch, 'gatekeeper'),
              `--port=${webhook}`,
              `--cert-dir=${certificates}`,
              `--health-addr=127.0.0.1:${health}`,
              `--prometheus-port=${metrics}`,
              '--exempt-namespace=gatekeeper-system',
              ...operations.map((operation) => `--operation=${operation}`),
            ],
          },
        ],
        ready: `http://127.0.0.1:${health}/readyz`,
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'gatekeeper.yaml')] },
      { args: ['apply', '-f', join(folder, 'testdata', 'gatekeeper-owner.yaml')] },
      {
        args: ['create', 'namespace', 'nobodys', '--dry-run=server'],
        refused: 'denied the request: [namespaces] it has no owner',
      },
      { args: ['apply', '-f', join(folder, 'testdata', 'gatekeeper-owned.yaml')], out: 'namespace/ours created' },
    ],
  });
}
