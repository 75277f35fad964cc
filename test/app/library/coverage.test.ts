import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../src/app/library/create-world.ts';
import type { Rule } from '../../../src/app/library/webhooks.ts';
import { coverageText } from '../../../src/testing/scenario/report/coverage.ts';
import type { Coverage } from '../../../src/explain/trace/coverage.ts';
import type { ExpressionCoverage } from '../../../src/explain/trace/expression-coverage.ts';
import { mergeCoverage } from '../../../src/explain/trace/coverage.ts';

const admission = { apiVersion: 'admissionregistration.k8s.io/v1' };
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] } satisfies Rule;

const policy = {
  ...admission,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'named' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    matchConditions: [{ name: 'judged', expression: "object.metadata.name != 'spared'" }],
    variables: [
      { name: 'labels', expression: "has(object.metadata.labels) ? object.metadata.labels : {'none': ''}" },
      { name: 'said', expression: 'string(object.metadata.name)' },
    ],
    validations: [
      {
        expression: "variables.labels.all(k, k != 'bad') || 'good' in variables.labels",
        messageExpression: 'variables.said',
      },
    ],
  },
};
const binding = {
  ...admission,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'named' },
  spec: { policyName: 'named', validationActions: ['Warn'] },
};

async function exercised(options: object): Promise<Coverage> {
  const world = await createWorld(options);
  await world.load(policy, binding);
  await world.webhook(
    'c.example.com',
    {
      type: 'validating',
      rules: [rule],
      matchConditions: [{ name: 'early', expression: "object.metadata.name < 'm' && !request.dryRun" }],
    },
    () => ({ allowed: true }),
  );
  for (const [name, labels] of objects) await create(world, name, labels);
  const coverage = world.traces.coverage();
  await world.close();
  return coverage;
}

const objects: readonly (readonly [name: string, labels: Readonly<Record<string, string>>])[] = [
  ['a', { x: '' }],
  ['b', { bad: '' }],
  ['spared', {}],
];

const create = (world: World, name: string, labels: object): Promise<unknown> =>
  world.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', labels } });

/** `name true/false/error: role expression true/false/error; …`. */
const line = ({ name, parts, ...one }: ExpressionCoverage): string =>
  `${name} ${one.true}/${one.false}/${one.error}: ${parts.map((part) => `${part.role} ${part.expression} ${part.true}/${part.false}/${part.error}`).join('; ')}`;

const counted = await exercised({ coverage: true });
const uncounted = await exercised({});

test('which branches the expressions of a policy took', () => {
  const [{ conditions, variables, validations, considered, outcomes } = none] = counted.policies;
  expect({ considered, outcomes }).toMatchObject({ considered: 4, outcomes: { evaluated: 2, skipped: 2 } });
  expect([...conditions, ...variables, ...validations].map(line)).toEqual([
    "judged 2/1/0: result object.metadata.name != 'spared' 2/1/0",
    'labels 0/0/0: condition has(object.metadata.labels) 2/0/0',
    'said 0/0/0: ',
    "validations[0] 1/1/0: result variables.labels.all(k, k != 'bad') || 'good' in variables.labels 1/1/0; operand variables.labels.all(k, k != 'bad') 1/1/0; operand 'good' in variables.labels 0/1/0; element k != 'bad' 1/1/0",
  ]);
  // A variable that only a message uses was used.
  expect(variables.map(({ evaluated }) => evaluated)).toEqual([2, 2]);
});

const none: Coverage['policies'][number] = {
  phase: 'validating',
  name: '',
  considered: 0,
  outcomes: { evaluated: 0, skipped: 0, denied: 0, 'failed-open': 0, 'failed-closed': 0 },
  skippedBecause: {},
  conditions: [],
  variables: [],
  validations: [],
};

test('which branches the condition of a webhook took', () => {
  const [webhook] = counted.webhooks;
  expect(webhook?.conditions.map(line)).toEqual([
    "early 2/1/0: result object.metadata.name < 'm' && !request.dryRun 2/1/0; operand object.metadata.name < 'm' 2/1/0; operand !request.dryRun 2/0/0",
  ]);
});

test('without the option results are counted, branches are not', () => {
  const [{ conditions, variables, validations } = none] = uncounted.policies;
  expect([...conditions, ...variables, ...validations].map(line)).toEqual([
    'judged 2/1/0: ',
    'labels 0/0/0: ',
    'said 0/0/0: ',
    'validations[0] 1/1/0: ',
  ]);
});

test('coverage of several runs is added, and the text lists unexercised parts', () => {
  const text = coverageText(mergeCoverage([counted, counted]));
  expect(text.split('\n')).toEqual([
    'coverage',
    '  policy named (validating): evaluated 4, skipped 4',
    '    ✓ judged',
    '    ○ labels',
    '        never false: has(object.metadata.labels)',
    '    ✓ said',
    '    ○ validations[0]',
    "        never true: 'good' in variables.labels",
    '  webhook c.example.com (validating, c.example.com): called 4, skipped 2',
    '    ○ early',
    '        never false: !request.dryRun',
    '  15 of 18 branches of expressions were taken',
  ]);
});
