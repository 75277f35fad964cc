import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { Agent, request } from 'undici';
import { afterAll, expect, test } from 'vitest';
import {
  certificateNames,
  type Certificates,
  openCertificates,
  trustedBundle,
} from '../../../src/adapters/certificates/open-certificates.ts';
import { issueCertificate, type KeyedCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { decodeJwt, type Jwt } from '../../../src/apiserver/auth/jwt.ts';
import { readSigningKey, readVerifyingKeys } from '../../../src/adapters/certificates/service-account-key.ts';
import { servingNames } from '../../../src/adapters/certificates/serving-names.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'certs-'));
  folders.push(made);
  return join(made, 'deep', 'er');
}

const admin = { commonName: 'kubernetes-admin', organizations: ['system:masters'], keyType: 'ec' } as const;
const open = (directory: string, names: readonly string[] = ['localhost', '127.0.0.1', '::1']): Promise<Certificates> =>
  openCertificates({ directory, names, admin });

test('a second start finds what the first one made', async () => {
  const directory = folder();
  const first = await open(directory);
  expect(await open(directory)).toEqual(first);
  const modes = ['ca.key', 'apiserver.key', 'admin.key', 'sa.key'].map(
    (file) => statSync(join(directory, file)).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
});

test('processes that start together end up with the same certificates', async () => {
  const directory = folder();
  const all = await Promise.all([open(directory), open(directory), open(directory), open(directory)]);
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('a new name makes a new serving certificate that keeps the old names', async () => {
  const directory = folder();
  const first = await open(directory);
  const second = await open(directory, ['host.docker.internal']);
  expect(certificateNames(second.serving.certificate)).toEqual([
    'host.docker.internal',
    'localhost',
    '127.0.0.1',
    '::1',
  ]);
  expect([second.authority, second.admin]).toEqual([first.authority, first.admin]);
  expect(await open(directory)).toEqual(second);
});

// fabric8's Java client takes what it finds in PKCS #8 for an RSA key.
test('who wants an RSA key for the administrator gets one, and keeps it when the other kind would do', async () => {
  const directory = folder();
  const { admin: elliptic } = await open(directory);
  const names = ['localhost', '127.0.0.1', '::1'];
  const { admin: made, ...rest } = await openCertificates({ directory, names, admin: { ...admin, keyType: 'rsa' } });
  const types = [elliptic, made].map(({ key }) => createPrivateKey(key).asymmetricKeyType);
  expect(types).toEqual(['ec', 'rsa']);
  expect(await open(directory)).toEqual({ admin: made, ...rest });
});

const day = 24 * 60 * 60 * 1000;

// What makes a certificate unusable, and what must be made anew then.
const damages: readonly [
  fact: string,
  damage: (directory: string, made: Certificates) => Promise<void>,
  renewed: readonly (keyof Certificates)[],
][] = [
  [
    'a serving certificate near its end',
    async (directory, { authority }) => {
      const dates = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 5 * day) };
      const names = ['localhost', '127.0.0.1', '::1'];
      const old = await issueCertificate({ commonName: 'x', purpose: 'server', names, issuer: authority, ...dates });
      writeFileSync(join(directory, 'apiserver.crt'), old.certificate);
      writeFileSync(join(directory, 'apiserver.key'), old.key);
    },
    ['serving'],
  ],
  [
    'a key that is cut short',
    async (directory) => writeFileSync(join(directory, 'admin.key'), '-----BEGIN'),
    ['admin'],
  ],
  [
    'a key of another certificate',
    async (directory, { admin: other }) => writeFileSync(join(directory, 'ca.key'), other.key),
    ['authority', 'serving', 'admin'],
  ],
  ['a missing CA', async (directory) => rmSync(join(directory, 'ca.crt')), ['authority', 'serving', 'admin']],
  ['a missing ServiceAccount key', async (directory) => rmSync(join(directory, 'sa.key')), ['serviceAccountKey']],
];

test.each(damages)('%s is replaced', async (_fact, damage, renewed) => {
  const directory = folder();
  await damage(directory, await open(directory));
  const found = onDisk(directory);
  const after = await open(directory);
  const parts = ['authority', 'serving', 'admin', 'serviceAccountKey'] as const;
  expect(parts.filter((part) => JSON.stringify(found[part]) !== JSON.stringify(after[part]))).toEqual(renewed);
  expect(await open(directory)).toEqual(after);
});

function onDisk(directory: string): Certificates {
  const text = (file: string): string => {
    const path = join(directory, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const pair = (name: string): KeyedCertificate => ({ certificate: text(`${name}.crt`), key: text(`${name}.key`) });
  return { authority: pair('ca'), serving: pair('apiserver'), admin: pair('admin'), serviceAccountKey: text('sa.key') };
}

test('a lock that a dead process left is taken over', async () => {
  const directory = folder();
  await open(directory);
  rmSync(join(directory, 'sa.key'));
  writeFileSync(join(directory, '.lock'), '');
  utimesSync(join(directory, '.lock'), new Date(0), new Date(0));
  expect((await open(directory)).serviceAccountKey).toContain('PRIVATE KEY');
});

test('clients that trust the CA reach a server with the certificate, and are known by theirs', async () => {
  const made = await open(folder());
  const server = createServer({
    cert: made.serving.certificate,
    key: made.serving.key,
    ca: made.authority.certificate,
    requestCert: true,
  });
  server.on('request', (incoming, response) => {
    const socket: unknown = incoming.socket;
    const peer = Object(socket).getPeerX509Certificate();
    response.end(peer instanceof X509Certificate ? peer.subject : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const agent = new Agent({
    connect: { ca: made.authority.certificate, cert: made.admin.certificate, key: made.admin.key },
  });
  const { body } = await request(`https://127.0.0.1:${port}/`, { dispatcher: agent });
  expect(await body.text()).toBe('O=system:masters\nCN=kubernetes-admin');
  await agent.close();
  await new Promise((resolve) => server.close(resolve));
});

test('the ServiceAccount key signs what it verifies, and nothing else', async () => {
  const directory = folder();
  const { serviceAccountKey } = await open(directory);
  const jwt = await signed(serviceAccountKey);
  const [head = '', , signature = ''] = jwt.token.split('.');
  const other = Buffer.from('{"sub":"b"}').toString('base64url');
  const none = Buffer.from(`{"alg":"none","kid":"${jwt.keyId}"}`).toString('base64url');
  const [key] = readVerifyingKeys(serviceAccountKey);
  expect(decodeProtectedHeader(jwt.token).alg).toBe('ES256');
  expect(jwt).toMatchObject({ claims: { sub: 'a' } });
  expect(await key?.verify(jwt)).toBe(true);
  expect(await key?.verify({ ...jwt, token: `${head}.${other}.${signature}` })).toBe(false);
  expect(await key?.verify({ ...jwt, token: `${none}.${other}.` })).toBe(false);
  expect(await key?.verify({ ...jwt, keyId: 'other' })).toBe(false);
  expect(readFileSync(join(directory, 'sa.key'), 'utf8')).toBe(serviceAccountKey);
});

async function signed(pem: string): Promise<Jwt> {
  const jwt = decodeJwt((await readSigningKey(pem)?.({ sub: 'a' })) ?? '');
  if (!jwt) throw new Error('no token');
  return jwt;
}

// Source: client-go util/keyutil/key_test.go; a file may hold several keys, of any of these kinds.
test('keys, public ones and certificates in one file verify; others are passed over', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('ed25519');
  const { serving } = await open(folder());
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const file = [
    other.publicKey.export({ type: 'spki', format: 'pem' }),
    rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }),
    serving.certificate,
  ].join('');
  const verifiers = readVerifyingKeys(file);
  const [byRsa, byServing] = await Promise.all(
    [rsa.privateKey.export(pem).toString(), serving.key].map(async (key) => {
      const jwt = await signed(key);
      return Promise.all(verifiers.map(({ verify }) => verify(jwt)));
    }),
  );
  expect([byRsa, byServing]).toEqual([
    [true, false],
    [false, true],
  ]);
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  for (const { privateKey } of [other, short]) {
    expect(readSigningKey(privateKey.export(pem).toString())).toBeUndefined();
  }
  expect(readSigningKey('text')).toBeUndefined();
});

test('clients trust the own CA and each certificate of the served file, but get no key from it', async () => {
  const { authority, serving, admin: other } = await open(folder());
  const file = `${serving.key}${serving.certificate}${other.certificate}`;
  const trusted = trustedBundle(authority.certificate, file);
  expect(trusted).toBe(`${authority.certificate}${serving.certificate}${other.certificate}`);
  expect(trustedBundle(authority.certificate, '')).toBe(authority.certificate);
});

// Source: kubernetes pkg/serviceaccount/openidmetadata.go algorithmFromPublicKey.
test.each([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
])('a key of %s signs with %s, and says so in the key set', async (namedCurve, algorithm) => {
  const pem = generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const jwt = await signed(pem);
  const [key] = readVerifyingKeys(pem);
  expect([decodeProtectedHeader(jwt.token).alg, await key?.verify(jwt)]).toEqual([algorithm, true]);
  expect(JSON.stringify(key?.jwk)).toMatch(
    new RegExp(
      `^\\{"use":"sig","kty":"EC","kid":"${jwt.keyId}","crv":"${namedCurve}","alg":"${algorithm}","x":"[^"]+","y":"[^"]+"\\}$`,
    ),
  );
});

const svc = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
const base = ['localhost', ...svc, '127.0.0.1', '::1'];

// Source: kubeadm cmd/kubeadm/app/util/pkiutil/pki_helpers.go.
const addresses: readonly [bind: string, range: string, external: string, more: readonly string[]][] = [
  ['127.0.0.1', '10.0.0.0/24', '', ['10.0.0.1']],
  ['0.0.0.0', '10.96.0.0/12', 'kadmit', ['10.96.0.1', 'kadmit']],
  ['192.168.1.5', '10.0.0.7/24,fd00::/108', '', ['10.0.0.1', 'fd00::1', '192.168.1.5']],
];

test.each(addresses)(
  'bound to %s with services in %s and the name "%s"',
  (bindAddress, range, externalHostname, more) => {
    expect(servingNames({ bindAddress, serviceClusterIpRange: range, externalHostname })).toEqual([...base, ...more]);
  },
);
