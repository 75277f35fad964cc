import { join } from 'node:path';
import { builtGo } from '../go.mjs';
import { freePort, vendor } from './vendor.mjs';

const namespace = 'tekton-pipelines';

/** A TaskRun, to which Tekton's webhook gives its defaults, and a Task without steps. The webhook writes its own rules. */
export async function tekton(folder, scratch) {
  const module = 'github.com/tektoncd/pipeline@v1.4.0';
  const { folder: published, why } = builtGo(module, { webhook: './cmd/webhook' }, scratch);
  if (published === undefined) return why;
  const [webhook, probes, metrics] = [await freePort(), await freePort(), await freePort()];
  const config = join(published, 'config');
  return vendor(scratch, {
    parts: [
      {
        manifests: [join(config, '100-namespace'), join(config, '300-crds'), config],
        processes: [
          {
            flags: [
              '--in-cluster',
              `--as-service-account=${namespace}/tekton-pipelines-webhook`,
              `--service=${namespace}/tekton-pipelines-webhook=${webhook}`,
            ],
            // As the Deployment of the manifests has them.
            env: {
              SYSTEM_NAMESPACE: namespace,
              CONFIG_LOGGING_NAME: 'config-logging',
              CONFIG_OBSERVABILITY_NAME: 'config-observability',
              CONFIG_LEADERELECTION_NAME: 'config-leader-election-webhook',
              CONFIG_FEATURE_FLAGS_NAME: 'feature-flags',
              PROBES_PORT: String(probes),
              WEBHOOK_PORT: String(webhook),
              METRICS_PROMETHEUS_PORT: String(metrics),
              WEBHOOK_ADMISSION_CONTROLLER_NAME: 'webhook.pipeline.tekton.dev',
              WEBHOOK_SERVICE_NAME: 'tekton-pipelines-webhook',
              WEBHOOK_SECRET_NAME: 'webhook-certs',
              METRICS_DOMAIN: 'tekton.dev/pipeline',
            },
            program: [join(scratch, 'webhook')],
          },
        ],
        ready: `http://127.0.0.1:${probes}/readiness`,
      },
    ],
    steps: [
      {
        args: ['create', '--dry-run=server', '-f', join(folder, 'testdata', 'tekton-refused.yaml')],
        refused: 'admission webhook "validation.webhook.pipeline.tekton.dev" denied the request: validation failed: ',
      },
      { args: ['apply', '-f', join(folder, 'testdata', 'tekton-allowed.yaml')], out: 'greeting' },
      { args: ['get', 'taskrun', 'greeting', '-o', 'jsonpath={.spec.timeout}'], out: '1h0m0s' },
    ],
  });
}
