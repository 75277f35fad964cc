import { expect, test } from 'vitest';
import type { ClientConfig } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { mapInBatches, serveBackends } from '../../../src/app/server/serve-backends.ts';
import type { ProbeResult } from '../../../src/adapters/webhook-client/probe-backend.ts';

const hook = (name: string, url: string) => ({ name, failurePolicy: 'Fail', clientConfig: { url } });
const configuration = (name: string, webhooks: readonly JsonObject[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'a configuration',
  metadata: { name },
  webhooks,
});
const stored: ReadonlyMap<string, ReturnType<typeof configuration>> = new Map([
  ['mutatingwebhookconfigurations', configuration('m', [hook('a', 'there'), hook('b', 'gone')])],
  ['validatingwebhookconfigurations', configuration('v', [hook('c', 'late')])],
]);
const cluster: Parameters<typeof serveBackends>[0] = { list: ({ resource }) => [stored.get(resource) ?? never()] };
const healths: Readonly<Record<string, ProbeResult>> = {
  there: { outcome: 'reachable', address: 'http://x' },
  gone: { outcome: 'unreachable', phase: 'connect', error: 'refused' },
  late: { outcome: 'unreachable', phase: 'timeout', error: 'late' },
};
const probe = ({ url = '' }: ClientConfig): Promise<ProbeResult> => Promise.resolve(healths[url] ?? never());

test('every configured webhook, with assumed responses; a webhook with an assumed response is not probed', async () => {
  const assumptions = [
    { webhook: 'a', verdict: 'deny' },
    { webhook: '*', verdict: 'ignore' },
  ] as const;
  const answer = await serveBackends(cluster, { probe, assumptions })({ method: 'GET', path: '/kadmit/v1/backends' });
  const about = (phase: string, within: string, name: string) => ({ phase, name, within, failurePolicy: 'Fail' });
  expect(answer).toMatchObject({
    body: `${JSON.stringify({
      backends: [
        { ...about('mutating', 'm', 'a'), assumed: 'deny' },
        { ...about('mutating', 'm', 'b'), health: healths['gone'], assumed: 'ignore' },
        { ...about('validating', 'v', 'c'), health: healths['late'] },
      ],
    })}\n`,
  });
});

test('of very many only some are looked at together', async () => {
  const items = Array.from({ length: 120 }, (_none, at) => at);
  let [open, most] = [0, 0];
  const look = async (item: number): Promise<string> => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return `n${item}`;
  };
  expect(await mapInBatches(items, look)).toEqual(items.map((item) => `n${item}`));
  expect(most).toBe(50);
});

test('other paths are left to others', () => {
  expect(
    serveBackends(cluster, { probe, assumptions: [] })({ method: 'GET', path: '/kadmit/v1/chain' }),
  ).toBeUndefined();
});

const never = (): never => {
  throw new Error('there is no such backend');
};
