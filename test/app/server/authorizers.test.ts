import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFailed } from '../../../src/adapters/config/config-error.ts';
import { readAuthorizerFile } from '../../../src/app/server/authorization.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();
writeFileSync(join(folder, 'k'), 'apiVersion: v1\nkind: Config\n');

interface Started {
  readonly file: string;
  /** What kube-apiserver v1.36.2 ended with; null when it started. */
  readonly stderr: string | null;
}
const starts: readonly Started[] = JSON.parse(
  readFileSync(new URL('../../facts/authorization-config.json', import.meta.url), 'utf8'),
);

test.each(starts.map((start, index) => [index, start] as const))(
  '--authorization-config, file %i',
  async (_, start) => {
    const reading = await readAuthorizerFile(start.file.replaceAll('$DIR', folder));
    const line = reading.ok ? null : commandFailed(reading.error).message.replaceAll(folder, '$DIR');
    expect(line).toBe(start.stderr);
  },
);

// Source: kubernetes pkg/kubeapiserver/authorizer/config.go
test('a file that is read again keeps the authorizers that are no webhooks', async () => {
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [{ type: 'RBAC', name: 'rbac' }],
  });
  const reading = await readAuthorizerFile(text, ['RBAC', 'Node', 'ABAC']);
  expect(reading).toEqual({ ok: false, error: 'missing required types: [ABAC Node]' });
});
