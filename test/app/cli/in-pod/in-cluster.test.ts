import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inClusterCommand, prepareMountPoint } from '../../../../src/app/cli/in-pod/run-in-pod.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

test('root needs no user namespace; everybody else keeps the own user in one', () => {
  const words = (uid: number): string => inClusterCommand(['./hook', '--port=1 2'], uid).join('|');
  expect(words(0)).toMatch(/^unshare\|--mount\|--\|sh\|-c\|[^|]+\|sh\|\.\/hook\|--port=1 2$/);
  expect(words(1000)).toMatch(/^unshare\|--mount\|--map-current-user\|--keep-caps\|--\|sh\|/);
});

test('a missing mount point is reported', () => {
  expect(() => prepareMountPoint('darwin')).toThrow('--in-cluster needs the mount namespaces of Linux');
  writeFileSync(join(folder, 'file'), '');
  const below = join(folder, 'file', 'serviceaccount');
  expect(() => prepareMountPoint('linux', below)).toThrow(`create the folder with: sudo mkdir -p ${below}`);
  expect(() => prepareMountPoint('linux', join(folder, 'a', 'b'))).not.toThrow();
});
