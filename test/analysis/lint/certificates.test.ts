import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import {
  type CertificateOrder,
  issueCertificate,
  type KeyedCertificate,
} from '../../../src/adapters/certificates/issue-certificate.ts';
import { configuration } from '../../harness/scenario.ts';
import { lintJson, lintTime } from '../../harness/lint-text.ts';

const day = 24 * 60 * 60 * 1000;
const valid = { notBefore: new Date(lintTime - 90 * day), notAfter: new Date(lintTime + 90 * day) };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const authority = (commonName: string): Promise<KeyedCertificate> =>
  issueCertificate({ commonName, purpose: 'authority', ...valid });

const ours = await authority('ours');
const theirs = await authority('theirs');

/** A webhook with `caBundle` of `ours`, its Service, and the workload behind it that mounts what was ordered. */
async function foundWith(order: Partial<CertificateOrder>, mounts = 'tls'): Promise<readonly string[]> {
  const names = ['hooks.sys.svc'];
  const { certificate } = await issueCertificate({
    commonName: 'hooks',
    purpose: 'server',
    names,
    issuer: ours,
    ...valid,
    ...order,
  });
  const metadata = { name: 'hooks', namespace: 'sys' };
  const labels = { app: 'hooks' };
  const volumes = [{ name: 'tls', secret: { secretName: mounts } }];
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'i' }], volumes } };
  const hook: JsonObject = {
    name: 'a.example.com',
    clientConfig: { service: metadata, caBundle: base64(ours.certificate) },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tls', namespace: 'sys' } };
  const objects: readonly JsonObject[] = [
    configuration('Validating', 'gate', [hook]),
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 443 }] } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { template } },
    { ...secret, type: 'kubernetes.io/tls', data: { 'tls.crt': base64(certificate), 'tls.key': '' } },
  ];
  return lintJson(objects).flatMap(({ rule, title }) => (rule === 'server-certificate' ? [title] : []));
}

// Source: Go's crypto/x509 verify.go, by adapters/webhook-client/verify-certificate.ts.
test.each<[fact: string, order: Partial<CertificateOrder>, said: readonly RegExp[]]>([
  ['one of that authority for that Service does', {}, []],
  [
    'one for another name',
    { names: ['hooks.other.svc'] },
    [/is not valid: .*valid for hooks\.other\.svc, not hooks\.sys\.svc/],
  ],
  ['one of another authority', { issuer: theirs }, [/is not valid: .*signed by unknown authority/]],
  ['one that is over', { notAfter: new Date(lintTime - day) }, [/is not valid: .*has expired/]],
])('the certificate that the backend mounts: %s', async (_fact, order, said) => {
  const found = await foundWith(order);
  expect(found).toHaveLength(said.length);
  for (const [index, pattern] of said.entries()) expect(found[index]).toMatch(pattern);
});

test('a Secret that no Pod mounts is not checked', async () => {
  expect(await foundWith({ issuer: theirs }, 'other')).toEqual([]);
});
