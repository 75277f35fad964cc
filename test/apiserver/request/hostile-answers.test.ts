import { expect, test } from 'vitest';
import type { ReviewAnswer } from '../../harness/admission.ts';
import { register } from '../../harness/configurations.ts';
import { createTestWorld } from '../../harness/world.ts';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const panicked = 'This request caused apiserver to panic. Look in the logs for details.\n';

const denied = (status: object): ReviewAnswer => ({ allowed: false, status: { ...status } });

const raw = (body: string): CallReply => ({
  outcome: 'answered',
  code: 200,
  contentType: 'application/json',
  body: Buffer.from(body),
});

const manyWarnings = Array.from({ length: 90_000 }, (_none, index) => `w${index}`);
const failed = (text: string): string => `Internal error occurred: failed calling webhook "a.x.io": ${text}`;

// Source: go net/http server.go checkWriteHeaderCode, apiserver pkg/server/filters/wrap.go, pkg/endpoints/filters/warning.go.
const facts: readonly [fact: string, said: ReviewAnswer | CallReply, code: number, message: string][] = [
  ['a code of four digits', denied({ code: 1000 }), 500, panicked],
  ['a code of six digits', denied({ code: 999_999 }), 500, panicked],
  [
    'a code of three digits',
    denied({ code: 999 }),
    999,
    'admission webhook "a.x.io" denied the request without explanation',
  ],
  ['a code below 400', denied({ code: -5 }), 400, 'admission webhook "a.x.io" denied the request without explanation'],
  ['90000 warnings', { allowed: true, warnings: manyWarnings }, 201, ''],
  [
    '90000 warnings and no',
    { allowed: false, warnings: manyWarnings },
    400,
    'admission webhook "a.x.io" denied the request without explanation',
  ],
  [
    '20000 audit annotations',
    { allowed: true, auditAnnotations: Object.fromEntries(manyWarnings.slice(0, 20_000).map((key) => [key, 'v'])) },
    201,
    '',
  ],
  ['lists in lists', raw('['.repeat(1800)), 500, failed('failed to call webhook: yaml: exceeded max depth of 500')],
  [
    'lists in lists without end',
    raw('['.repeat(50_000)),
    500,
    failed('failed to call webhook: yaml: exceeded max depth of 500'),
  ],
  [
    'objects in objects',
    raw('{"a":'.repeat(50_000)),
    500,
    failed(
      "failed to call webhook: couldn't get version/kind; json parse error: invalid character '{' exceeded max depth",
    ),
  ],
];

test.each(facts)('%s', async (_fact, said, code, message) => {
  for (const phase of ['mutating', 'validating'] as const) {
    const world = await createTestWorld({ responses: { 'a.x.io': () => said } });
    await register(world, phase, { name: 'a.x.io' });
    const answer = await world.send('POST', configMaps, { metadata: { name: 'a' } });
    expect([answer.code, answer.message]).toEqual([code, message]);
    expect(world.bugs).toEqual([]);
  }
});
