import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseServiceMappings } from '../../../../src/app/cli/in-pod/run-in-pod.ts';
import { objectFiles, parseMounts, qualifiedArgument, writeFiles } from '../../../../src/app/cli/in-pod/pod-files.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

test('a Secret and a ConfigMap are files; keys that go take theirs along, and nothing else', () => {
  writeFileSync(join(folder, 'mine'), '');
  const secret = objectFiles('secrets', { data: { 'tls.crt': 'UEVN', 'tls.key': '' } });
  writeFiles(folder, secret);
  expect(readdirSync(folder).toSorted()).toEqual(['mine', 'tls.crt', 'tls.key']);
  expect(readFileSync(join(folder, 'tls.crt'), 'utf8')).toBe('PEM');
  writeFiles(folder, objectFiles('configmaps', { data: { a: 'ü' }, binaryData: { b: 'AP8=' } }), [...secret.keys()]);
  expect(readdirSync(folder).toSorted()).toEqual(['a', 'b', 'mine']);
  expect([readFileSync(join(folder, 'a'), 'utf8'), [...readFileSync(join(folder, 'b'))]]).toEqual(['ü', [0, 255]]);
});

test.each([
  ['shop/hook=/certs', { resource: 'secrets', namespace: 'shop', name: 'hook', folder: '/certs' }],
  ['shop/hook=a=b', { resource: 'secrets', namespace: 'shop', name: 'hook', folder: 'a=b' }],
])('--secret %s', (text, mount) => {
  expect(parseMounts([text], [])).toEqual([mount]);
});

test.each(['shop/hook', 'shop/hook=', 'hook=/certs', 'a/b/c=/certs', '../x=/certs'])(
  '--secret %s is refused',
  (text) => {
    expect(() => parseMounts([text], [])).toThrow('is not NAMESPACE/NAME');
  },
);

test('an account is in a namespace', () => {
  expect(() => qualifiedArgument('as-service-account', 'hook')).toThrow(
    '--as-service-account "hook" is not NAMESPACE/NAME',
  );
});

test('a Service is led to a port of this machine', () => {
  expect(parseServiceMappings(['shop/hook=8443', 'shop/other=65535'])).toEqual([
    { from: 'shop/hook', url: 'https://127.0.0.1:8443' },
    { from: 'shop/other', url: 'https://127.0.0.1:65535' },
  ]);
});

test.each(['shop/hook', 'shop/hook=', 'shop/hook=https', 'hook=8443', 'shop/hook=65536', 'shop/hook=1:2'])(
  '--service %s is refused',
  (text) => {
    expect(() => parseServiceMappings([text])).toThrow(/--service .* is not NAMESPACE\/NAME/);
  },
);
