import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, outcomeOf } from './execute.mjs';
import { builtGo } from './go.mjs';
import { vendor } from './vendors/vendor.mjs';

/** controller-runtime's own examples, which know of nothing but KUBECONFIG; their ports are 8080 and 9443. */
export async function examples(folder, scratch) {
  const programs = { builtins: './examples/builtins', crd: './examples/crd' };
  const { folder: published, why } = builtGo('sigs.k8s.io/controller-runtime@v0.24.1', programs, scratch);
  if (published === undefined) return why;
  const builtins = await runBuiltins(folder, scratch);
  return builtins === 'passed' ? runCrd(folder, scratch) : builtins;
}

const ready = 'http://127.0.0.1:8080/metrics';

/** A controller of ReplicaSets, and webhooks that annotate Pods and want the annotation. */
function runBuiltins(folder, scratch) {
  const certificates = join(scratch, 'k8s-webhook-server', 'serving-certs');
  mkdirSync(certificates, { recursive: true });
  const certificate = join(certificates, 'tls.crt');
  const made = execute(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=examples']
      .concat(['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', join(certificates, 'tls.key')])
      .concat(['-out', certificate]),
    { minutes: 1 },
  );
  if (made.error !== undefined) return 'there is no openssl';
  if (made.status !== 0) return outcomeOf(made);
  const webhooks = join(scratch, 'webhooks.yaml');
  const caBundle = readFileSync(certificate).toString('base64');
  const template = readFileSync(join(folder, 'testdata', 'builtins-webhooks.yaml'), 'utf8');
  writeFileSync(webhooks, template.replaceAll('CA_BUNDLE', caBundle));
  const pod = (file) => ['apply', '-f', join(folder, 'testdata', file)];
  const annotation = String.raw`jsonpath={.metadata.annotations.example-mutating-admission-webhook}`;
  return vendor(scratch, {
    parts: [
      {
        manifests: [],
        processes: [{ flags: [], env: { TMPDIR: scratch }, program: [join(scratch, 'builtins')] }],
        ready,
      },
    ],
    steps: [
      { args: ['apply', '-f', webhooks], out: 'mutatingwebhookconfiguration' },
      { args: pod('builtins-allowed.yaml'), out: 'pod/allowed created' },
      { args: ['get', 'pod', 'allowed', '-o', annotation], out: 'foo' },
      { args: pod('builtins-refused.yaml'), refused: 'missing annotation example-mutating-admission-webhook' },
      { args: ['create', 'deployment', 'web', '--image=nginx'], out: 'created' },
      { args: ['get', 'replicasets', '-l', 'hello=world', '-o', 'name'], out: 'replicaset.apps/web-' },
    ],
  });
}

/** A controller that makes a Pod for each ChaosPod. */
const runCrd = (folder, scratch) =>
  vendor(scratch, {
    parts: [
      {
        manifests: [join(folder, 'testdata', 'chaospods.yaml')],
        processes: [{ flags: [], env: { TMPDIR: scratch }, program: [join(scratch, 'crd')] }],
        ready,
      },
    ],
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'chaospod.yaml')], out: 'created' },
      { args: ['get', 'pod', 'monkey', '-o', 'jsonpath={.metadata.ownerReferences[0].kind}'], out: 'ChaosPod' },
      { args: ['get', 'chaospod', 'monkey', '-o', 'jsonpath={.spec.nextStop}'], out: 'T' },
    ],
  });
