import { expect, test } from 'vitest';
import { createImagePolicyWebhook } from '../../../../src/apiserver/admission/plugins/image-policy-webhook.ts';
import type { CallReply } from '../../../../src/apiserver/admission/webhooks/call.ts';
import { creating, object, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';
import { imagePolicy, reviewed } from '../../../harness/image-policy.ts';

const allowed = reviewed({ allowed: true });
const denied = reviewed({ allowed: false });
const broken = reviewed({}, 500);
const reset: CallReply = { outcome: 'failed', phase: 'headers', error: 'read: connection reset by peer' };
const refused: CallReply = { outcome: 'failed', phase: 'connect', error: 'dial tcp: connection refused' };

const rejected = 'pods "p" is forbidden: one or more images rejected by webhook backend';
const serverError =
  'pods "p" is forbidden: an error on the server ("unknown") has prevented the request from succeeding';

// Source: kubernetes plugin/pkg/admission/imagepolicy/admission_test.go, apiserver pkg/util/webhook/webhook.go.
interface Row {
  readonly replies: readonly CallReply[];
  readonly requestsAt: readonly number[];
  readonly answers: readonly string[];
  readonly calls: number;
}

const unheard = 'pods "p" is forbidden: dial tcp: connection refused';
const rows: Readonly<Record<string, Row>> = {
  'an approval is remembered for its time': {
    replies: [allowed],
    requestsAt: [0, 999, 1000],
    answers: ['', '', ''],
    calls: 2,
  },
  'a denial is not remembered when that is switched off': {
    replies: [denied],
    requestsAt: [0, 1],
    answers: [rejected, rejected],
    calls: 2,
  },
  'a server error is asked about five times': { replies: [broken], requestsAt: [0], answers: [serverError], calls: 5 },
  'a connection that was reset is tried again': {
    replies: [reset, allowed],
    requestsAt: [0],
    answers: [''],
    calls: 2,
  },
  'a port where nobody listens is not': { replies: [refused], requestsAt: [0], answers: [unheard], calls: 1 },
};

test.each(Object.entries(rows))('%s', async (_fact, { replies, requestsAt, answers, calls }) => {
  const plugin = createImagePolicyWebhook(imagePolicy);
  const pod = object('v1', 'Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }] } });
  const request = creating(pod, 'pods');
  let called = 0;
  const seen: (string | undefined)[] = [];
  for (const at of requestsAt) {
    const answer = await plugin.validate?.(request, {
      ...portsOf({ get: () => undefined, list: () => [] }),
      now: () => at,
      callWebhook: async () => replies[Math.min(called++, replies.length - 1)] ?? refused,
    });
    seen.push(refusalOf(answer)?.message ?? '');
  }
  expect(seen).toEqual(answers);
  expect(called).toBe(calls);
});
