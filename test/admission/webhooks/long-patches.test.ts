import { expect, test } from 'vitest';
import { applyWebhookPatch } from '../../../src/admission/webhooks/apply-patch.ts';
import { currentRelease } from '../../../src/schema/release/current-release.ts';
import { impatient } from '../../harness/impatient.ts';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} };
const data = Object.fromEntries(Array.from({ length: 5_000 }, (_none, at) => [`k${at}`, `v${at}`]));
const ports = { codec: currentRelease.codec, catalogue: currentRelease.createCatalogue() };

// What a patch comes to is told in test/admission/after-mutation.test.ts.
test.each(['JSONPatch', 'J'])(
  'others are let in while a long %s of a webhook is read, and applied',
  async (patchType) => {
    const patch = JSON.stringify([{ op: 'add', path: '/data', value: data }]);
    const verdict = { allowed: true, status: {}, patch, patchType, warnings: [], auditAnnotations: {} } as const;
    const patchable = { view: { object, operation: 'CREATE', subresource: '' } as const, kind };
    const pause = impatient();
    const slow = await applyWebhookPatch('a', verdict, patchable, { ...ports, pause });
    expect(slow).toEqual(await applyWebhookPatch('a', verdict, patchable, ports));
    expect(pause.turns()).toBeGreaterThan(patchType === 'J' ? 2 : 50);
  },
);
