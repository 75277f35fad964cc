import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCertificates } from '../../../../src/adapters/certificates/open-certificates.ts';
import { openServingFiles } from '../../../../src/app/cli/dev/serving-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-serving-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const admin = { commonName: 'admin', organizations: [], keyType: 'ec' } as const;
await openCertificates({ directory: join(folder, 'ca'), names: [], admin });
const open = (given: string) => openServingFiles(given, join(folder, 'ca'));

test.each(['', join(folder, 'certs')])(
  '--cert-dir %j: a certificate for the Services, which goes at the end',
  async (given) => {
    const files = open(given);
    const { certificate, ca } = await files.issue(['shop/hooks', 'a/b']);
    expect(statSync(files.folder).mode % 0o1000).toBe(0o700);
    expect(statSync(files.keyFile).mode % 0o1000).toBe(0o600);
    expect([files.certFile, files.caFile].map((file) => readFileSync(file, 'utf8'))).toEqual([certificate, ca]);
    const read = new X509Certificate(certificate);
    expect(read.verify(new X509Certificate(ca).publicKey)).toBe(true);
    const names = ['localhost', '127.0.0.1', 'hooks.shop.svc', 'hooks.shop', 'hooks.shop.svc.cluster.local', 'b.a.svc'];
    expect(names.filter((name) => !read.checkHost(name) && !read.checkIP(name))).toEqual([]);
    files.remove();
    expect([files.certFile, files.keyFile, files.caFile].some((file) => existsSync(file))).toBe(false);
    expect(existsSync(files.folder)).toBe(given !== '');
  },
);

test('a key of others is not overwritten; one that a killed kadmit left is', async () => {
  const given = join(folder, 'others');
  const left = open(given);
  await left.issue([]);
  await open(given).issue([]);
  writeFileSync(left.certFile, 'mine');
  expect(() => open(given)).toThrow(`--cert-dir ${given} has a tls.key that is not kadmit's: name another folder`);
});
