import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
// Loaded when the page asks for it; a test has it before.
import '../../../src/analysis/lint/model/budget.ts';
import { pageBudgets } from '../../../src/app/server/ui-api.ts';
import { definitionOf } from '../../harness/custom-definition.ts';

const webhook = (name: string, timeoutSeconds: number): object => ({
  name,
  timeoutSeconds,
  clientConfig: { service: { namespace: 'sys', name: 'hooks' } },
  rules: [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }],
  failurePolicy: 'Ignore',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});

const stored: Readonly<Record<string, readonly KubernetesObject[]>> = {
  mutatingwebhookconfigurations: [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'slow' },
      webhooks: [webhook('a.example.com', 30), webhook('b.example.com', 10)],
    } as KubernetesObject,
  ],
  customresourcedefinitions: [definitionOf('things.example.com', 'Thing', {}) as KubernetesObject],
};

test('the budgets of the page, with webhooks that the deadline leaves out', async () => {
  const { budgets } = await pageBudgets({ list: ({ resource }) => stored[resource] ?? [] });
  expect(budgets).toMatchObject([
    {
      requests: ['CREATE things.example.com'],
      mutating: 40,
      worstCase: 40,
      limit: 34,
      calls: [{ left: 34 }, { left: 4 }],
    },
  ]);
});

test('without webhooks there is nothing', async () => {
  expect(await pageBudgets({ list: () => [] })).toEqual({ budgets: [] });
});
