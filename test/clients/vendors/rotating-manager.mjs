import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { kustomized, vendor } from './vendor.mjs';

/**
 * A manager of kubernetes-sigs that makes its own certificates, over its published manifests. Its ports and the folder of its
 * certificates are in its ConfigMap and its code: it runs alone.
 */
export async function rotatingManager(scratch, { name, module, program, steps }) {
  const { folder: published, why } = builtGo(module, { [name]: program }, scratch);
  if (published === undefined) return why;
  const namespace = `${name}-system`;
  const configuration = join(scratch, 'config');
  return vendor(scratch, {
    parts: [
      {
        manifests: [kustomized(join(published, 'config', 'default'), join(scratch, `${name}.yaml`))],
        processes: [
          {
            flags: [
              '--in-cluster',
              `--as-service-account=${namespace}/${name}-controller-manager`,
              `--secret=${namespace}/${name}-webhook-server-cert=/tmp/k8s-webhook-server/serving-certs`,
              `--config-map=${namespace}/${name}-manager-config=${configuration}`,
              `--service=${namespace}/${name}-webhook-service=9443`,
            ],
            program: [join(scratch, name), `--config=${join(configuration, 'controller_manager_config.yaml')}`],
          },
        ],
        ready: 'http://127.0.0.1:8081/readyz',
      },
    ],
    steps,
  });
}
