import { expect, test } from 'vitest';
import { createDigests, digestOf } from '../../../src/explain/render/digest.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const status = { message: 'refused' };
const refused = { verdict: 'refused', response: { code: 403, status, warnings: [] } } as const;

test.each([
  ['admitted', someTrace(), ''],
  ['the API server itself refused', someTrace(refused), 'API server'],
  [
    'the one whose words the client received',
    someTrace({
      ...refused,
      admission: [
        someWebhook({ name: 'a', outcome: 'denied', status: { message: 'no' } }),
        someWebhook({ name: 'b', outcome: 'denied', status }),
      ],
    }),
    'b',
  ],
  [
    'the first when none of them said it so',
    someTrace({
      ...refused,
      admission: [someWebhook({ name: 'a', outcome: 'failed-closed' }), someWebhook({ name: 'b', outcome: 'denied' })],
    }),
    'a',
  ],
  [
    'who failed open refused nothing',
    someTrace({ ...refused, admission: [someWebhook({ outcome: 'failed-open' })] }),
    'API server',
  ],
])('refused by: %s', (_fact, trace, name) => {
  expect(digestOf(trace).refusedBy).toBe(name);
});

test('a digest is made once, and a trace that was forgotten has none', () => {
  let asked = 0;
  const digest = createDigests((id) => {
    asked += 1;
    return id === 'known' ? someTrace({ id }) : undefined;
  });
  expect([digest('known')?.id, digest('known')?.id, digest('none'), asked]).toEqual(['known', 'known', undefined, 2]);
});

const again = someWebhook({ round: 1, startedAt: 1030 });

test.each([
  ['called once', [someWebhook()], []],
  ['a call in the second round', [someWebhook(), again], ['second round']],
  ['a skip in the second round', [someWebhook(), someWebhook({ round: 1, outcome: 'skipped' })], []],
  ['failurePolicy Ignore', [someWebhook({ outcome: 'failed-open' })], ['failed open']],
  ['--assume', [someWebhook({ outcome: 'failed-open', assumed: 'ignore' })], ['assumed']],
])('marks: %s', (_fact, admission, marks) => {
  expect(digestOf(someTrace({ admission })).marks).toEqual(marks);
});

test('the headline is that of the explanation, an unreadable trace has none', () => {
  expect(digestOf(someTrace({ admission: [someWebhook(), someWebhook({ name: 'b' })] })).headline).toEqual({
    tone: 'good',
    text: '2 of 2 webhooks called, none changed the object, nothing suspicious',
  });
  expect(digestOf(JSON.parse('{"admission":null}')).headline.text).toBe('');
});

test('an assumed response is not a call', () => {
  const admission = [someWebhook(), someWebhook({ name: 'b', assumed: 'allow' })];
  expect(digestOf(someTrace({ admission })).headline.text).toBe(
    '1 of 2 webhooks called, 1 assumed (--assume), none changed the object',
  );
});
