import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { mutatingConfiguration } from '../../harness/configurations.ts';
import { mutatingPolicy, validatingPolicy } from '../../harness/policies.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

async function explained(arrange: (world: TestWorld) => Promise<unknown>): Promise<string> {
  const world = await createTestWorld({ responses: { 'late.example.com': () => ({}) } });
  await arrange(world);
  await world.send('POST', configMaps, { metadata: { name: 'm', labels: { run: 'no' } }, data: { k: 'v' } });
  const last = world.finished.at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  return renderExplanation(createTrace(last, 'audit', last.request.receivedAt));
}

const limits = { metadata: { name: 'limits', labels: { kind: 'limits' } }, data: { longest: '0' } };

const stories: Readonly<Record<string, (world: TestWorld) => Promise<unknown>>> = {
  denied: async (world) => {
    await world.send('POST', configMaps, limits);
    await validatingPolicy(
      world,
      'size',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'size', expression: 'size(object.data)' }],
        validations: [
          { expression: 'has(object.data)' },
          {
            expression: 'variables.size <= int(params.data.longest)',
            messageExpression: '"too many: " + string(variables.size)',
          },
        ],
      },
      { validationActions: ['Deny'], paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    );
    await validatingPolicy(
      world,
      'warns',
      {
        validations: [{ expression: "object.metadata.labels.run == 'yes'" }],
        auditAnnotations: [{ key: 'k', valueExpression: 'object.data.k + "!"' }],
      },
      { validationActions: ['Warn', 'Audit'] },
    );
    await validatingPolicy(world, 'ignored', {
      failurePolicy: 'Ignore',
      validations: [{ expression: 'object.data.none == "x"' }],
    });
    await validatingPolicy(world, 'other-objects', {
      matchConstraints: {
        objectSelector: { matchLabels: { run: 'yes' } },
        resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
      validations: [{ expression: 'false' }],
    });
    await validatingPolicy(world, 'when', {
      matchConditions: [{ name: 'runs', expression: "object.metadata.labels.run == 'yes'" }],
      validations: [{ expression: 'false' }],
    });
  },
  mutated: async (world) => {
    await mutatingPolicy(world, 'adds', ['Object{data: {"added": object.data.k + "!"}}', 'Object{}']);
    await mutatingPolicy(world, 'fails', ['Object{data: {"x": object.data.none}}'], { failurePolicy: 'Ignore' });
    const webhooks = [{ name: 'late.example.com', reinvocationPolicy: 'IfNeeded' }];
    await world.send(
      'POST',
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      mutatingConfiguration(webhooks),
    );
  },
};

// Ours: which binding and parameters had a turn, what a false expression was made of, why there was a second round.
test.each(Object.keys(stories))('sentences of policies: %s', async (name) => {
  const text = await explained(stories[name] ?? (async () => {}));
  await expect(`${text}\n`).toMatchFileSnapshot(join(process.cwd(), `test/golden/explain-policies-${name}.txt`));
});

const denying = { validations: [{ expression: 'true' }], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };

test('parameters that do not exist are named with parameterNotFoundAction Deny', async () => {
  const text = await explained((world) =>
    validatingPolicy(world, 'size', denying, {
      validationActions: ['Deny'],
      paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' },
    }),
  );
  expect(text.split('\n').slice(0, 5).join('\n')).toContain(
    'hint: there is no ConfigMap limits in namespace default: create it, or set parameterNotFoundAction: Allow in the binding',
  );
});

test('a warning of the type checker is quoted with the refusal, not with an admission', async () => {
  const status = {
    typeChecking: {
      expressionWarnings: [
        { fieldRef: 'spec.validations[0].expression', warning: "undefined field 'imagee'\n | c.imagee" },
      ],
    },
  };
  const withStatus = (expression: string) => async (world: TestWorld) => {
    await validatingPolicy(world, 'typo', { validations: [{ expression }] });
    const url = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/typo/status';
    await world.send('PATCH', url, { status }, { contentType: 'application/merge-patch+json' });
  };
  const hint = "hint: status.typeChecking of the policy: spec.validations[0].expression: undefined field 'imagee'\n";
  expect((await explained(withStatus('object.data.imagee == "x"'))).split('\n').slice(0, 5).join('\n')).toContain(hint);
  expect(await explained(withStatus('true'))).not.toContain('typeChecking');
});
