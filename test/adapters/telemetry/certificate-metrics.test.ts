import { expect, test } from 'vitest';
import { issueCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { createMetrics } from '../../../src/adapters/telemetry/metrics.ts';
import { createTestWorld } from '../../harness/world.ts';
import { certificateRequest } from '../../harness/certificate-request.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const merge = { contentType: 'application/merge-patch+json' };

async function issued(seconds: number): Promise<string> {
  const notBefore = new Date(1_700_000_000_000);
  const notAfter = new Date(notBefore.getTime() + seconds * 1000);
  const { certificate } = await issueCertificate({ commonName: 'c', purpose: 'authority', notBefore, notAfter });
  return Buffer.from(certificate).toString('base64');
}

const requested = (signer: string) => `requested_duration_total{signerName="${signer}"} 1`;
const honored = (signer: string) => `honored_duration_total{signerName="${signer}"} 1`;
const client = 'kubernetes.io/kube-apiserver-client';

// Source: kubernetes pkg/registry/certificates/certificates/storage/metrics_test.go
test.each<[fact: string, spec: object, lifetime: number, query: string, lines: readonly string[]]>([
  [
    'what was asked for',
    { signerName: client, expirationSeconds: 3600 },
    3600,
    '',
    [requested(client), honored(client)],
  ],
  [
    'within a twentieth and five minutes',
    { signerName: 'a.b/c', expirationSeconds: 3600 },
    4079,
    '',
    [requested('other'), honored('other')],
  ],
  ['a second more', { signerName: 'a.b/c', expirationSeconds: 3600 }, 4080, '', [requested('other')]],
  ['much less', { signerName: client, expirationSeconds: 36_000 }, 3600, '', [requested(client)]],
  ['without a wish', { signerName: client }, 3600, '', []],
  ['a dry run', { signerName: client, expirationSeconds: 3600 }, 3600, '?dryRun=All', []],
])('%s: counted once, when it is issued', async (...[, spec, lifetime, query, lines]) => {
  const world = await createTestWorld();
  const metrics = createMetrics(world.clock.now);
  const usages = ['client auth'];
  await world.send('POST', requests, {
    metadata: { name: 'c' },
    spec: { request: certificateRequest, usages, ...spec },
  });
  const approved = { type: 'Approved', status: 'True', reason: 'r' };
  const certificate = await issued(lifetime);
  await world.send('PATCH', `${requests}/c/approval`, { status: { conditions: [approved] } }, merge);
  const { code } = await world.send('PATCH', `${requests}/c/status${query}`, { status: { certificate } }, merge);
  expect(code).toBe(200);
  await world.send('PATCH', `${requests}/c/status${query}`, { status: { certificate } }, merge);
  world.finished.forEach(metrics.record);
  const body = await metrics.registry.metrics();
  const found = body.split('\n').filter((line) => line.startsWith('apiserver_certificates_registry_csr_'));
  expect(found.toSorted()).toEqual(lines.map((line) => `apiserver_certificates_registry_csr_${line}`).toSorted());
});
