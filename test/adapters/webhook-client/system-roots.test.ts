import { rootCertificates } from 'node:tls';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemRoots } from '../../../src/adapters/webhook-client/ca-bundle.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const file = join(temporaryFolder(), 'roots.pem');
const [first = '', second = ''] = rootCertificates;
writeFileSync(file, `${first}\n${second}\n`);

const store = ['of the store'];
const from = (platform: NodeJS.Platform, stored: readonly string[] = store) => ({
  platform,
  storedRoots: () => stored,
});

// Source: Go's crypto/x509 root_darwin.go and root_windows.go ask the system, root_unix.go reads files.
test.each<[fact: string, environment: NodeJS.ProcessEnv, sources: ReturnType<typeof from>, roots: readonly string[]]>([
  ['macOS has a store', {}, from('darwin'), store],
  ['Windows has one', {}, from('win32'), store],
  ['SSL_CERT_FILE goes before it', { SSL_CERT_FILE: file }, from('darwin'), [first, second]],
  ['NODE_EXTRA_CA_CERTS is added', { NODE_EXTRA_CA_CERTS: file }, from('win32'), [...store, first, second]],
])('%s', (_fact, environment, sources, roots) => {
  expect(systemRoots(environment, sources)).toEqual(roots);
});

test('Linux has files, and where nothing is found, the roots of Node count', () => {
  expect(systemRoots({}, from('linux'))).not.toContain('of the store');
  expect(systemRoots({}, from('win32', [])).length).toBeGreaterThan(1);
});
