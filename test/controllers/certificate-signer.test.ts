import { X509Certificate } from 'node:crypto';
import { asList, asObject, asString } from '../../src/machinery/json/json.ts';
import { certificateRequest } from '../harness/certificate-request.ts';
import type { Cluster } from './cluster.ts';
import { testCases } from './controller-cases.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const client = 'kubernetes.io/kube-apiserver-client';

/** What comes of a request that is decided so: the subject of its certificate, or the condition of the signer. */
async function outcome(
  cluster: Cluster,
  {
    signerName = client,
    usages = ['client auth'],
    decision = 'Approved',
  }: { signerName?: string; usages?: string[]; decision?: string },
): Promise<string> {
  const spec = { request: certificateRequest, signerName, usages };
  const made = await cluster.send('POST', requests, { metadata: { name: 'alice' }, spec });
  await cluster.settle();
  if (decision !== '') {
    const condition = { type: decision, status: 'True', reason: 'Test', message: '' };
    await cluster.send('PUT', `${requests}/alice/approval`, { ...made, status: { conditions: [condition] } });
    await cluster.settle();
  }
  const status = asObject((await cluster.find(`${requests}/alice`))?.['status']);
  const certificate = asString(status['certificate']);
  if (certificate !== '') return new X509Certificate(Buffer.from(certificate, 'base64')).subject.replace('\n', ', ');
  const failed = asList(status['conditions'])
    .map(asObject)
    .find(({ type }) => type === 'Failed');
  return failed ? `${asString(failed['reason'])}: ${asString(failed['message'])}` : 'nothing';
}

// Upstream: pkg/controller/certificates/signer/signer.go, certificate_controller.go.
testCases([
  ['an approved request is signed', (cluster) => outcome(cluster, {}), 'O=dev, CN=alice'],
  ['one that is not approved is not', (cluster) => outcome(cluster, { decision: '' }), 'nothing'],
  ['nor is one that is denied', (cluster) => outcome(cluster, { decision: 'Denied' }), 'nothing'],
  [
    'one that is not as its signer demands fails',
    (cluster) => outcome(cluster, { usages: ['client auth', 'server auth'] }),
    'SignerValidationFailure: invalid usage for client certificate: server auth',
  ],
  [
    'a node is of system:nodes',
    (cluster) =>
      outcome(cluster, { signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth', 'digital signature'] }),
    'SignerValidationFailure: subject organization is not system:nodes',
  ],
  ['another signer signs for itself', (cluster) => outcome(cluster, { signerName: 'example.com/own' }), 'nothing'],
]);
