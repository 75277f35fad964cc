import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesOf, writeFiles } from '../../../src/cli/in-pod/follow-files.ts';
import { mountsOf, qualified } from '../../../src/cli/in-pod/in-pod-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-in-pod-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a Secret and a ConfigMap are files; keys that go take theirs along, and nothing else', () => {
  writeFileSync(join(folder, 'mine'), '');
  const secret = filesOf('secrets', { data: { 'tls.crt': 'UEVN', 'tls.key': '' } });
  writeFiles(folder, secret);
  expect(readdirSync(folder).toSorted()).toEqual(['mine', 'tls.crt', 'tls.key']);
  expect(readFileSync(join(folder, 'tls.crt'), 'utf8')).toBe('PEM');
  writeFiles(folder, filesOf('configmaps', { data: { a: 'ü' }, binaryData: { b: 'AP8=' } }), [...secret.keys()]);
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'b', 'mine']);
  expect([readFileSync(join(folder, 'a'), 'utf8'), [...readFileSync(join(folder, 'b'))]]).toEqual(['ü', [0, 255]]);
});

test.each([
  ['shop/hook=/certs', { resource: 'secrets', namespace: 'shop', name: 'hook', folder: '/certs' }],
  ['shop/hook=a=b', { resource: 'secrets', namespace: 'shop', name: 'hook', folder: 'a=b' }],
])('--secret %s', (text, mount) => {
  const options = { asServiceAccount: '', secret: [text], configMap: [], kubeconfig: '' };
  expect(mountsOf(options)).toEqual([mount]);
});

test.each(['shop/hook', 'shop/hook=', 'hook=/certs', 'a/b/c=/certs', '../x=/certs'])(
  '--secret %s is refused',
  (text) => {
    const options = { asServiceAccount: '', secret: [text], configMap: [], kubeconfig: '' };
    expect(() => mountsOf(options)).toThrow('is not NAMESPACE/NAME');
  },
);

test('an account is in a namespace', () => {
  expect(() => qualified('as-service-account', 'hook')).toThrow('--as-service-account "hook" is not NAMESPACE/NAME');
});
