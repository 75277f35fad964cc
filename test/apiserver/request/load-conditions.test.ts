import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

const entry = (matchConditions?: readonly object[]) => ({
  name: 'w.example.com',
  clientConfig: { url: 'https://w.example' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  ...(matchConditions ? { matchConditions } : {}),
});

const condition = (expression: string) => ({ name: 'c', expression });

async function loading() {
  let loads = 0;
  const world = await createTestWorld({ celLoaded: () => (loads += 1) });
  const send = async (...asked: Parameters<typeof world.send>): Promise<string> => {
    const { code } = await world.send(...asked);
    return `${code}, ${loads} loaded`;
  };
  return send;
}

test('the engine of expressions is loaded for webhooks that have some, and for no others', async () => {
  const send = await loading();
  expect(await send('POST', configurations, { metadata: { name: 'a' }, webhooks: [entry()] })).toBe('201, 0 loaded');
  expect(await send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).toMatch(
    /, 0 loaded$/,
  );
  const patch = { webhooks: [entry([condition('true')])] };
  const merge = { contentType: 'application/merge-patch+json' };
  expect(await send('PATCH', `${configurations}/a`, patch, merge)).toBe('200, 1 loaded');
});

test.each([
  ['true', '201, 1 loaded'],
  ['1 +', '422, 1 loaded'],
])('a webhook that is created with the condition %s', async (expression, said) => {
  const send = await loading();
  const webhooks = [entry([condition(expression)])];
  expect(await send('POST', configurations, { metadata: { name: 'a' }, webhooks })).toBe(said);
});

test('for a policy it is loaded before', async () => {
  const send = await loading();
  expect(await send('POST', policies, { metadata: { name: 'a' }, spec: {} })).toBe('422, 1 loaded');
});
