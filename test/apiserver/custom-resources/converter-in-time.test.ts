import { expect, test } from 'vitest';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { createTestWorld } from '../../harness/world.ts';
import { converted, definitions, widget, widgets } from './widgets.ts';

const v2 = widgets.replace('v1', 'v2');
const body = widget('y', { apiVersion: 'example.com/v2', spec: { a: 'b' } });
const failed: CallReply = { outcome: 'failed', phase: 'timeout', error: 'context deadline exceeded' };
const late = [504, 'Timeout: request did not complete within the allotted timeout', 1000];

/** No controller of this world says so. */
const established = {
  acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
  conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True', lastTransitionTime: null })),
};

// What kube-apiserver v1.36.2 answered where a converter took three seconds. Source: apiserver pkg/server/filters/timeout.go.
test.each<readonly [method: string, path: string, body: object | undefined, answer: readonly unknown[]]>([
  ['GET', `${v2}/x?timeout=1s`, undefined, late],
  ['GET', `${v2}?timeout=1s`, undefined, late],
  ['POST', `${v2}?timeout=1s`, body, late],
  ['PUT', `${v2}/x?timeout=1s`, { ...body, metadata: { name: 'x' } }, late],
  ['PATCH', `${v2}/x?timeout=1s`, { spec: { a: 'c' } }, late],
  ['DELETE', `${v2}/x?timeout=1s`, undefined, late],
  [
    'GET',
    `${v2}/x?timeout=5s`,
    undefined,
    [500, 'conversion webhook for example.com/v1, Kind=Widget failed: context deadline exceeded', 5000],
  ],
])('%s %s while a converter is asked', async (method, path, sent, [code, message, wait]) => {
  const clock = createVirtualClock();
  const converter = async (_request: unknown, _turn: number, timeoutMs: number): Promise<CallReply> => {
    await clock.sleep(Math.min(3000, timeoutMs), new AbortController().signal);
    return failed;
  };
  const world = await createTestWorld({
    clock,
    responses: { 'conversion_webhook_for_widgets.example.com': converter },
  });
  await world.send('POST', definitions, converted());
  await world.send('PATCH', `${definitions}/widgets.example.com/status`, { status: established });
  expect((await world.send('POST', widgets, widget('x'))).code).toBe(201);
  const sending = world.send(method, path, sent);
  const answers: unknown[] = [];
  void sending.then((answer) => answers.push(answer));
  while (answers.length === 0) await clock.advance(500);
  const answer = await sending;
  expect([answer.code, answer.body['message'], world.calls.at(-1)?.timeoutMs]).toEqual([code, message, wait]);
});
