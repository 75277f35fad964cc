import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, whyNot } from '../execute.mjs';
import { builtGo } from '../go.mjs';
import { certManagerPart } from './cert-manager.mjs';
import { freePort, kustomized, vendor } from './vendor.mjs';

const module = 'github.com/open-telemetry/opentelemetry-operator@v0.135.0';
const namespace = 'opentelemetry-operator-system';
const secret = 'opentelemetry-operator-controller-manager-service-cert';

/**
 * A collector, which gets its defaults and becomes a Deployment, and one that the operator's webhook refuses. The caBundles
 * come from cert-manager's cainjector; what its controller would put into the Secret is made here.
 */
export async function opentelemetry(folder, scratch) {
  const { part, why: lacking } = await certManagerPart(scratch);
  if (part === undefined) return lacking;
  const { folder: published, why } = builtGo(module, { operator: '.' }, scratch);
  if (published === undefined) return why;
  const certificate = certificateSecret(scratch);
  if (certificate.why !== undefined) return certificate.why;
  const [health, metrics] = [await freePort(), await freePort()];
  return vendor(scratch, {
    parts: [
      part,
      {
        manifests: [kustomized(join(published, 'config', 'default'), join(scratch, 'operator.yaml')), certificate.file],
        processes: [
          {
            flags: [
              '--in-cluster',
              `--as-service-account=${namespace}/opentelemetry-operator-controller-manager`,
              `--secret=${namespace}/${secret}=${join(scratch, 'k8s-webhook-server', 'serving-certs')}`,
              `--service=${namespace}/opentelemetry-operator-webhook-service=9443`,
            ],
            env: {
              TMPDIR: scratch,
              NAMESPACE: namespace,
              SERVICE_ACCOUNT_NAME: 'opentelemetry-operator-controller-manager',
            },
            program: [
              join(scratch, 'operator'),
              '--enable-leader-election',
              `--metrics-addr=127.0.0.1:${metrics}`,
              `--health-probe-addr=127.0.0.1:${health}`,
            ],
          },
        ],
        ready: `http://127.0.0.1:${health}/readyz`,
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'opentelemetry-allowed.yaml')], out: 'created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'opentelemetry-refused.yaml')],
        refused: 'denied the request: the OpenTelemetry Spec autoscale configuration is incorrect, minReplicas',
      },
      { args: ['get', 'deployment', 'simplest-collector', '-o', 'name'], out: 'deployment.apps/simplest-collector' },
    ],
  });
}

/** The Secret of the operator's Certificate, as cert-manager's controller annotates it. */
function certificateSecret(scratch) {
  const file = (name) => join(scratch, name);
  const name = `DNS:opentelemetry-operator-webhook-service.${namespace}.svc`;
  const made = execute(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=operator'].concat([
      '-addext',
      `subjectAltName=${name}`,
      '-keyout',
      file('tls.key'),
      '-out',
      file('tls.crt'),
    ]),
    { minutes: 1 },
  );
  if (made.status !== 0) return { why: `openssl makes no certificate: ${whyNot(made)}` };
  const read = (path) => readFileSync(file(path)).toString('base64');
  const annotations = { 'cert-manager.io/certificate-name': 'opentelemetry-operator-serving-cert' };
  writeFileSync(
    file('secret.json'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: secret, annotations },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': read('tls.crt'), 'ca.crt': read('tls.crt'), 'tls.key': read('tls.key') },
    }),
  );
  return { file: file('secret.json') };
}
