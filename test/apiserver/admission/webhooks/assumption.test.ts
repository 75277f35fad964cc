import { expect, test } from 'vitest';
import {
  withAssumedResponses,
  type AssumedResponse,
  assumptionFor,
} from '../../../../src/apiserver/admission/webhooks/assumption.ts';
import type { CallPhase, CallReply, WebhookCall } from '../../../../src/apiserver/admission/webhooks/call.ts';

const [named, ofConfiguration, exact, absent]: readonly AssumedResponse[] = [
  { webhook: 'a.x.io', verdict: 'allow' },
  { webhook: 'first', verdict: 'deny' },
  { webhook: 'first/a.x.io', verdict: 'ignore' },
  { webhook: '*', verdict: 'ignore' },
] as const;

const asked: WebhookCall = {
  webhookName: 'a.x.io',
  configuration: 'first',
  phase: 'mutating',
  clientConfig: {},
  body: '{}',
  timeoutMs: 1000,
};
const other: WebhookCall = { ...asked, webhookName: 'b.x.io', configuration: 'second' };
const answered: CallReply = { outcome: 'answered', code: 200, contentType: 'application/json', body: new Uint8Array() };
const failedIn = (phase: CallPhase): CallReply => ({ outcome: 'failed', phase, error: 'no' });
const conversion = ({ phase: _phase, ...call }: WebhookCall): WebhookCall => call;

type Row = [
  fact: string,
  assumptions: readonly (AssumedResponse | undefined)[],
  exchange: readonly [WebhookCall, CallReply],
  assumed: string,
];
const rows: readonly Row[] = [
  ['who is named is not called', [named], [asked, answered], 'allow'],
  ['who is not named is', [named], [other, answered], 'called'],
  ['by its configuration', [ofConfiguration], [asked, answered], 'deny'],
  ['the webhook before its configuration', [ofConfiguration, named], [asked, answered], 'allow'],
  ['the two together before all', [named, ofConfiguration, exact], [asked, answered], 'ignore'],
  ['* for one whose address is not known', [absent], [other, failedIn('resolve')], 'ignore'],
  ['* for one that does not listen', [absent], [other, failedIn('connect')], 'ignore'],
  ['* not for one that answers', [absent], [other, answered], 'called'],
  ['* not for one whose certificate is wrong', [absent], [other, failedIn('tls')], 'called'],
  ['* not for one that takes too long', [absent], [other, failedIn('timeout')], 'called'],
  ['no converter', [absent], [conversion(other), failedIn('connect')], 'called'],
  ['no converter by its name', [named], [conversion(asked), answered], 'called'],
];

test.each(rows)('%s', async (_fact, assumptions, [call, reply], assumed) => {
  const given = assumptions.filter((one) => one !== undefined);
  const got = await withAssumedResponses(given)(() => Promise.resolve(reply))(call);
  expect(got.assumed ?? 'called').toBe(assumed);
});

test('a webhook of another configuration with the same name is meant by the name alone', () => {
  const list = [named, exact].filter((one) => one !== undefined);
  expect(assumptionFor({ name: 'a.x.io', configuration: 'second' }, list)).toBe('allow');
});
