import { expect, test } from 'vitest';
import { checkPolicy } from '../../../src/testing/scenario/expect/policy.ts';
import type { PolicyExpectation } from '../../../src/testing/scenario/format.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { mutatingPolicy, validatingPolicy } from '../../harness/policies.ts';
import { createTestWorld } from '../../harness/world.ts';

const place = { file: 's.yaml', line: 1, column: 1 };
const nothing = { outcome: undefined, because: undefined, binding: undefined, object: undefined, changed: undefined };

async function failures(expected: Partial<PolicyExpectation> & { readonly name: string }): Promise<readonly string[]> {
  const world = await createTestWorld();
  await mutatingPolicy(world, 'adds', ['Object{data: {"a": "b"}}']);
  await validatingPolicy(world, 'fine', { validations: [{ expression: 'has(object.data)' }] });
  await validatingPolicy(world, 'warns', { validations: [{ expression: 'false' }] }, { validationActions: ['Warn'] });
  await world.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    metadata: { name: 'loose' },
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
      },
      validations: [{ expression: 'true' }],
    },
  });
  await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } });
  const last = world.finished.at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  const trace = createTrace(last, 'audit', last.request.receivedAt);
  const answer = { code: 201, body: {}, warnings: [], milliseconds: 0 } as never;
  const shown = { answer, trace, earlier: [], known: [], clock: 'virtual' } as const;
  return checkPolicy({ place, ...nothing, ...expected }, shown).map(({ message }) => message);
}

// Ours: what the report says of a policy that did something else.
test.each<[expected: Partial<PolicyExpectation> & { readonly name: string }, said: readonly string[]]>([
  [{ name: 'fine', outcome: 'evaluated' }, []],
  [{ name: 'fine', outcome: 'evaluated', binding: 'fine-binding' }, []],
  [{ name: 'fine', binding: 'other' }, ['fine was not considered with binding other']],
  [
    { name: 'fine', outcome: 'denied' },
    ['fine was expected to deny the request, and was evaluated with binding fine-binding and let the request pass'],
  ],
  [{ name: 'loose', outcome: 'skipped', because: 'not-bound' }, []],
  [
    { name: 'loose', outcome: 'skipped', because: 'excluded' },
    [
      'loose was expected to be skipped because of excluded, and was skipped: no binding names it: a policy without one is never evaluated',
    ],
  ],
  [{ name: 'adds', changed: true, object: { data: { a: 'b' } } }, []],
  [{ name: 'adds', changed: false }, ['adds was expected not to change the object, and changed it']],
  [
    { name: 'adds', object: { data: { a: 'c' } } },
    ['adds left an object whose data.a was expected to be "c", and is "b"'],
  ],
  [{ name: 'warns', changed: true }, ['warns was expected to change the object, and did not']],
  [{ name: 'fines' }, ['fines was not considered; did you mean "fine"?']],
])('%j', async (expected, said) => {
  expect(await failures(expected)).toEqual(said);
});
