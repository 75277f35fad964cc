import { expect, test } from 'vitest';
import { collectHooks } from '../../../../src/apiserver/admission/policies/hooks.ts';
import { createWorld } from '../../../../src/app/library/create-world.ts';

const names = ['a', 'b', 'c', 'd'];
const policies = names.map((name) => ({ apiVersion: 'v1', kind: 'P', metadata: { name }, spec: {} }));
const bindings = names.map((name) => ({ apiVersion: 'v1', kind: 'B', metadata: { name }, spec: { policyName: 'a' } }));

const orderFor = (seed?: number): string =>
  collectHooks(policies, bindings, seed)
    .map(({ policy }) => policy.name)
    .join('');

// Rule VAP-2: the order is a matter of chance on a real server.
test('policies and bindings come by name, and a seed shuffles them, always in the same way', () => {
  const seeds = Array.from({ length: 200 }, (_none, at) => at + 1);
  const orders = seeds.map(orderFor);
  expect([orderFor(), orderFor(0)]).toEqual(['abcd', 'abcd']);
  expect(new Set(orders).size).toBe(24);
  expect(seeds.map(orderFor)).toEqual(orders);
  const shuffled = collectHooks(policies, bindings, 3).find(({ policy }) => policy.name === 'a')?.bindings ?? [];
  expect(shuffled.map(({ name }) => name).join('')).toBe(orderFor(3));
});

test('the seed of a world decides which of two policies refuses', async () => {
  const admission = { apiVersion: 'admissionregistration.k8s.io/v1' };
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const objects = ['a', 'b'].flatMap((name) => [
    {
      ...admission,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules },
        validations: [{ expression: 'false', message: `no, says ${name}` }],
      },
    },
    {
      ...admission,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ]);
  const refusalWith = async (policySeed: number): Promise<string> => {
    const world = await createWorld({ policySeed, load: objects });
    const created = world.client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'default' },
    });
    const said = await created.then(String, ({ message }: Error) => message);
    await world.close();
    return /no, says \w/.exec(said)?.[0] ?? said;
  };
  const reversed = Array.from({ length: 200 }, (_none, at) => at + 1).find((seed) => /b.*a/.test(orderFor(seed)));
  expect(await refusalWith(0)).toBe('no, says a');
  expect(await refusalWith(reversed ?? 0)).toBe('no, says b');
});
