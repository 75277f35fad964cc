import { expect, test } from 'vitest';
import { kubectlOutput } from '../../../src/app/playground/kubectl-output.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { StepAction } from '../../../src/testing/scenario/format.ts';
import type { WorldResource } from '../../../src/testing/scenario/world.ts';

const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
};
const target = { resource: 'deploy', subresource: '', namespace: 'shop', name: 'web' };
const deployments: WorldResource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
  namespaced: true,
};
const namespaces: WorldResource = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  resource: 'namespaces',
  namespaced: false,
};
const patch = { type: 'patch', target, patchType: 'merge', patch: {} } as const;

const remove: StepAction = { type: 'delete', target, options: {} };
const removeAll: StepAction = { type: 'deletecollection', target: { ...target, labelSelector: '', fieldSelector: '' } };
const apply: StepAction = { type: 'apply', object: {}, fieldManager: 'a', force: false };
const pod: JsonObject = { ...deployment, apiVersion: 'v1', kind: 'Pod' };

interface Sent {
  readonly action: StepAction;
  readonly dryRun?: boolean;
  readonly resource?: WorldResource;
  readonly body: JsonObject;
}

// Follows cli-runtime pkg/printers/name.go and kubectl pkg/cmd/delete/delete.go.
test.each<[string, Sent]>([
  ['deployment.apps/web created', { action: { type: 'create', object: {} }, body: deployment }],
  ['pod/web created (server dry run)', { action: { type: 'create', object: {} }, dryRun: true, body: pod }],
  ['deployment.apps/web replaced', { action: { type: 'update', object: {} }, body: deployment }],
  ['pod/web serverside-applied', { action: apply, body: pod }],
  ['deployment.apps/web patched', { action: patch, body: deployment }],
  ['deployment.apps "web" deleted from shop namespace', { action: remove, resource: deployments, body: {} }],
  ['namespace "web" deleted', { action: remove, resource: namespaces, body: {} }],
  [
    'deployment.apps "web" deleted (server dry run) from shop namespace',
    { action: removeAll, dryRun: true, resource: deployments, body: { items: [deployment] } },
  ],
  ['kind: Pod', { action: { type: 'get', target }, body: { kind: 'Pod' } }],
  ['', { action: { type: 'advance', milliseconds: 1 }, body: {} }],
])('%s', (printed, { action, dryRun = false, resource, body }) => {
  expect(kubectlOutput({ action, dryRun, resource }, { code: 200, body, warnings: [] })).toBe(printed);
});

const create: StepAction = { type: 'create', object: {} };
const causes = (...fields: readonly string[]): JsonObject => ({
  reason: 'Invalid',
  message: 'all of it',
  details: { kind: 'Pod', name: 'web', causes: fields.map((field) => ({ field, message: 'Required value' })) },
});

// Follows kubectl pkg/cmd/util/helpers.go.
test.each<[JsonObject, string]>([
  [{ reason: 'Forbidden', message: 'no' }, 'Error from server (Forbidden): no'],
  [{ message: 'no' }, 'Error from server: no'],
  [{ reason: 'Unauthorized', message: 'Unauthorized' }, 'error: You must be logged in to the server (Unauthorized)'],
  [causes('spec.a'), 'The Pod "web" is invalid: spec.a: Required value'],
  [
    causes('spec.a', 'spec.b', 'spec.a'),
    'The Pod "web" is invalid: \n* spec.a: Required value\n* spec.b: Required value',
  ],
  [{ reason: 'Invalid', message: 'why' }, 'The request is invalid: why'],
  [{ reason: 'Invalid', message: 'why', details: {} }, 'The request is invalid: why'],
  [{ reason: 'Invalid', message: 'why', details: { kind: 'Pod', name: 'web' } }, 'The Pod "web" is invalid'],
])('the error %o', (body, printed) => {
  expect(kubectlOutput({ action: create, dryRun: false, resource: undefined }, { code: 403, body, warnings: [] })).toBe(
    printed,
  );
});

test('warnings come first', () => {
  const answer = { code: 201, body: deployment, warnings: ['one', 'two'] };
  expect(kubectlOutput({ action: create, dryRun: false, resource: undefined }, answer)).toBe(
    'Warning: one\nWarning: two\ndeployment.apps/web created',
  );
});
