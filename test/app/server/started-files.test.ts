import { expect, test } from 'vitest';
import { openTracingConfiguration } from '../../../src/app/server/tracing-configuration.ts';
import { endingOf, startsWith } from '../../harness/startup-files.ts';

// Source: kube-apiserver v1.36.2, started with these files.
test.each(startsWith('tracing-config-file'))('$flags $files', async (start) => {
  const ending = await endingOf(start, async ({ given }) =>
    openTracingConfiguration(given.get('tracing-config-file')?.at(-1) ?? ''),
  );
  expect(ending).toBe(start.stderrLastLine);
});
