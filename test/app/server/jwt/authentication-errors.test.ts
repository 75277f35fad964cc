import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClosing } from '../../../../src/app/server/closing.ts';
import { openJwtAuthenticators } from '../../../../src/app/server/jwt/jwt-authenticators.ts';
import { openLog } from '../../../../src/adapters/telemetry/log.ts';
import { bareConfig } from '../../../harness/start-kadmit.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const issuer = 'https://kubernetes.default.svc';
const folder = temporaryFolder();

const cases: readonly { readonly file: string; readonly stderrLastLine: string }[] = JSON.parse(
  readFileSync('test/facts/authentication-errors.json', 'utf8'),
);

// Source: kube-apiserver v1.36.2, started with these files.
test.each(cases)('$stderrLastLine', async ({ file, stderrLastLine }) => {
  const path = join(folder, 'a.yaml');
  writeFileSync(path, file);
  const log = await openLog({ format: 'text', verbosity: 0 });
  const ports = { log, now: () => 0, issuers: [issuer], apiAudiences: [issuer] };
  const opening = openJwtAuthenticators({ ...bareConfig, authenticationConfig: path }, ports, createClosing());
  const ended = await opening.then(
    () => 'started',
    (error: unknown) => String(error instanceof Error ? error.message : error),
  );
  expect(ended.replaceAll(folder, '$DIR')).toBe(stderrLastLine);
});
