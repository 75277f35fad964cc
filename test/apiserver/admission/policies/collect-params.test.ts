import { expect, test } from 'vitest';
import { bindingOf, policyOf } from '../../../../src/apiserver/admission/policies/policy.ts';
import { collectParams, paramKindError } from '../../../../src/apiserver/admission/policies/select.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { clusterOf, object } from '../../../harness/builtin-plugin.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const configMap = (namespace: string, name: string, labels = {}): ReturnType<typeof object> => ({
  ...object('v1', 'ConfigMap', name),
  metadata: { name, namespace, labels },
});
const ports = {
  cluster: clusterOf({
    configmaps: [configMap('ns', 'a', { app: 'web' }), configMap('ns', 'b', { app: 'web' }), configMap('ns', 'c')],
    nodes: [object('v1', 'Node', 'n1')],
  }),
  catalogue: recordedRelease.createCatalogue(),
  codec: recordedRelease.codec,
};

const policyWith = (paramKind: JsonObject | undefined): ReturnType<typeof policyOf> =>
  policyOf(
    object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'p', {
      spec: { ...(paramKind && { paramKind }) },
    }),
  );
const collected = (paramRef: JsonObject | undefined, paramKind: JsonObject | undefined, namespace = 'ns'): unknown =>
  collectParams(
    policyWith(paramKind),
    bindingOf(
      object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'b', {
        spec: { policyName: 'p', ...(paramRef && { paramRef }) },
      }),
    ),
    namespace,
    ports,
  );
const limits = { apiVersion: 'v1', kind: 'ConfigMap' };
const node = { apiVersion: 'v1', kind: 'Node' };
const names = (...all: readonly string[]): object => ({
  outcome: 'collected',
  params: all.map((name) => expect.objectContaining({ metadata: expect.objectContaining({ name }) })),
});
const failed = (error: string): object => ({ outcome: 'failed', error });
const denies = { parameterNotFoundAction: 'Deny' };

// Source: apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go CollectParams.
test.each<[paramRef: JsonObject | undefined, paramKind: JsonObject | undefined, params: object]>([
  [undefined, undefined, { outcome: 'collected', params: [null] }],
  [undefined, limits, { outcome: 'collected', params: [null] }],
  [{ name: 'a' }, undefined, { outcome: 'collected', params: [null] }],
  [{ name: 'a' }, limits, names('a')],
  [{ name: 'a', namespace: 'ns' }, limits, names('a')],
  [{ name: 'a', namespace: 'other' }, limits, { outcome: 'none', wants: 'ConfigMap a in namespace other' }],
  [
    { name: 'd', ...denies },
    limits,
    {
      ...failed('no params found for policy binding with `Deny` parameterNotFoundAction'),
      wants: 'ConfigMap d in namespace ns',
    },
  ],
  [{ name: 'a', ...denies }, limits, names('a')],
  [{ selector: { matchLabels: { app: 'web' } } }, limits, names('a', 'b')],
  [{ selector: {} }, limits, names('a', 'b', 'c')],
  [
    { selector: { matchLabels: { app: 'db' } } },
    limits,
    { outcome: 'none', wants: 'ConfigMap with app=db in namespace ns' },
  ],
  [{ name: 'n1' }, node, names('n1')],
  [{ name: 'n2' }, node, { outcome: 'none', wants: 'Node n2' }],
  [
    { name: 'n1', namespace: 'ns' },
    node,
    failed('paramRef.namespace must not be provided for a cluster-scoped `paramKind`'),
  ],
  [{ name: 'x' }, { apiVersion: 'v1', kind: 'Limits' }, failed('paramKind kind `Limits` not known')],
  [{ name: 'a' }, { apiVersion: 'v1', kind: 'configmap' }, names('a')],
  ...['ConfigMapList', 'List', 'Binding'].map(
    (kind) =>
      [
        { name: 'a' },
        { apiVersion: 'v1', kind },
        failed(`paramKind kind \`&ParamKind{APIVersion:v1,Kind:${kind},}\` not yet synced to use for admission`),
      ] satisfies [JsonObject, JsonObject, object],
  ),
])('%j of %j', async (paramRef, paramKind, params) => {
  expect(await collected(paramRef, paramKind)).toEqual(params);
});

test('what has no namespace brings none for its params', async () => {
  const error = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  expect(await collected({ name: 'a' }, limits, '')).toEqual(failed(error));
  expect(await collected({ name: 'a', namespace: 'ns' }, limits, '')).toEqual(names('a'));
});

test.each<[paramKind: JsonObject | undefined, error: string | undefined]>([
  [undefined, undefined],
  [limits, undefined],
  [{ apiVersion: 'v1', kind: 'ConfigMapList' }, undefined],
  [{ apiVersion: 'v1', kind: 'configMap' }, "failed to find resource referenced by paramKind: '/v1, Kind=configMap'"],
  [{ apiVersion: 'v1', kind: 'Limits' }, "failed to find resource referenced by paramKind: '/v1, Kind=Limits'"],
  [{ apiVersion: 'a/v1', kind: 'Limits' }, "failed to find resource referenced by paramKind: 'a/v1, Kind=Limits'"],
])('a policy of params %j cannot be evaluated: %s', (paramKind, error) => {
  expect(paramKindError(policyWith(paramKind), ports)).toBe(error);
});
