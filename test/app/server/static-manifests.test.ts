import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readManifestFolder, serverIdHash } from '../../../src/app/server/static-manifests.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifests-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

// Source: kubernetes v1.36.2 test/integration/apiserver/admissionwebhook/static_manifest_test.go validateReloadMetrics.
test('a server is named in metrics as upstream names it', () => {
  expect(serverIdHash('testAPIServerID')).toBe(
    'sha256:3c607df3b2bf22c9d9f01d5314b4bbf411c48ef43ff44ff29b1d55b41367c795',
  );
});

// Source: apiserver v0.36.2 pkg/admission/plugin/manifest/loader.go LoadFiles.
test('files are read by name, others, empty ones and folders are not; the hash is that of the contents', () => {
  expect(readManifestFolder(folder)).toEqual({ ok: true, value: { files: [], hash: '' } });
  for (const [name, text] of Object.entries({ 'b.YML': 'b', 'a.json': 'a', 'c.txt': 'c', 'd.yaml': '' })) {
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, 'e.yaml'));
  expect(readManifestFolder(folder)).toEqual({
    ok: true,
    value: {
      files: [
        { path: join(folder, 'a.json'), text: 'a' },
        { path: join(folder, 'b.YML'), text: 'b' },
      ],
      // printf 'a\0b\0' | sha256sum
      hash: 'sha256:8fb20ef63ced4145fc2e983ffe597d1dcff39154c3bf21f0fa9dde6a0c50fdc9',
    },
  });
});

test('a deleted folder is reported', () => {
  const gone = join(folder, 'gone');
  expect(readManifestFolder(gone)).toEqual({
    ok: false,
    error: `failed to read manifest directory "${gone}": open ${gone}: no such file or directory`,
  });
});
