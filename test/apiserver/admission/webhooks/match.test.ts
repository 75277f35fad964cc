import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { webhooksOf } from '../../../../src/apiserver/admission/webhooks/read-webhooks.ts';
import { type MatchOutcome, matchWebhook } from '../../../../src/apiserver/admission/webhooks/match.ts';
import { createImmutableViews } from '../../../../src/apiserver/admission/matching/versions.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import {
  builtinCatalogue,
  builtinCodec,
  configMap,
  creating,
  webhookConfiguration,
} from '../../../harness/admission.ts';

const namespaceObject = (labels: Readonly<Record<string, string>>): KubernetesObject => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name: 'fresh', labels },
});

const stored: Readonly<Record<string, KubernetesObject>> = {
  default: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'default', labels: { team: 'red' } } },
  fresh: namespaceObject({ team: 'old' }),
};

async function match(webhook: JsonObject, request: AdmissionAttributes): Promise<MatchOutcome> {
  const [read] = webhooksOf(webhookConfiguration('MutatingWebhookConfiguration', 'c', [{ name: 'a.b.c', ...webhook }]));
  if (!read) throw new Error('no webhook');
  return matchWebhook(read, request, createImmutableViews(request, builtinCodec), {
    catalogue: builtinCatalogue,
    getNamespace: (name) => stored[name],
    authorize: () => ({ allowed: false, reason: '' }),
    yieldIfLong: async () => {},
  });
}

const red = { matchLabels: { team: 'red' } };
const blue = { matchLabels: { team: 'blue' } };
const notBlue = { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['blue'] }] };
const clusterRole = creating({
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: 'r' },
});
const newNamespace = creating(namespaceObject({ team: 'blue' }));
const deletion = creating(configMap(), { operation: 'DELETE', object: null, oldObject: configMap({ team: 'blue' }) });
const exec = creating(
  { kind: 'PodExecOptions', apiVersion: 'v1' },
  {
    operation: 'CONNECT',
    subresource: 'exec',
    namespace: 'default',
    resource: { group: '', version: 'v1', resource: 'pods' },
  },
);

// Source: apiserver predicates/namespace/matcher.go, predicates/object/matcher.go; spec rules SEL-40 to SEL-54
const facts: readonly [fact: string, webhook: JsonObject, request: AdmissionAttributes, outcome: string][] = [
  ['the labels of the namespace decide', { namespaceSelector: red }, creating(configMap()), 'matched'],
  ['other labels of the namespace skip', { namespaceSelector: blue }, creating(configMap()), 'namespaceSelector'],
  ['a cluster-scoped object has no namespace to look at', { namespaceSelector: blue }, clusterRole, 'matched'],
  ['a new Namespace is judged by its own labels', { namespaceSelector: blue }, newNamespace, 'matched'],
  [
    'the deletion of a Namespace by the stored ones',
    { namespaceSelector: blue },
    { ...newNamespace, operation: 'DELETE', oldObject: newNamespace.object, object: null },
    'namespaceSelector',
  ],
  [
    'so is its status',
    { namespaceSelector: blue },
    { ...newNamespace, operation: 'UPDATE', subresource: 'status' },
    'namespaceSelector',
  ],
  ['the object selector skips other labels', { objectSelector: blue }, creating(configMap()), 'objectSelector'],
  ['the old object is looked at as well', { objectSelector: blue }, deletion, 'matched'],
  ['an object without labels matches NotIn', { objectSelector: notBlue }, creating(configMap()), 'matched'],
  ['an object without metadata matches no selector', { objectSelector: notBlue }, exec, 'objectSelector'],
  ['an object without metadata matches the empty one', {}, exec, 'matched'],
  ['no rules, no call', { rules: [] }, creating(configMap()), 'no-rule-matched'],
];

test.each(facts)('%s', async (_fact, webhook, request, outcome) => {
  const result = await match(webhook, request);
  expect(result.outcome === 'skipped' ? result.reason.because : result.outcome).toBe(outcome);
});

const elsewhere = creating(configMap(), { namespace: 'nowhere' });
const rulesForSecrets = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];

// Source: spec rules SEL-11, SEL-44
test('a namespace that does not exist refuses the request, but only if the rules match', async () => {
  expect(await match({ namespaceSelector: red }, elsewhere)).toMatchObject({
    outcome: 'refused',
    status: { code: 404, message: 'namespaces "nowhere" not found' },
  });
  expect(await match({ namespaceSelector: red, rules: rulesForSecrets }, elsewhere)).toMatchObject({
    outcome: 'skipped',
  });
});

const scaler = creating({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v1',
  metadata: { name: 'h', namespace: 'default' },
});
const v2Rules = [
  { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
];

// Source: spec rules SEL-30 to SEL-33
test('an equivalent version matches under Equivalent, with its own resource and kind', async () => {
  expect(await match({ rules: v2Rules }, scaler)).toEqual({
    outcome: 'matched',
    as: {
      kind: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
      resource: { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' },
      rule: 0,
    },
  });
  expect(await match({ rules: v2Rules, matchPolicy: 'Exact' }, scaler)).toMatchObject({ outcome: 'skipped' });
});

// Ours: what the explanation needs to know.
test('a skipped webhook says what it wanted and what it found', async () => {
  expect(
    await match(
      { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['blue'] }] } },
      creating(configMap()),
    ),
  ).toEqual({
    outcome: 'skipped',
    reason: {
      because: 'namespaceSelector',
      wants: 'team In [blue]',
      namespace: 'default',
      labels: { team: 'red' },
      rulesMatch: true,
    },
  });
  expect(await match({ objectSelector: blue }, creating(configMap({ team: 'red' })))).toEqual({
    outcome: 'skipped',
    reason: {
      because: 'objectSelector',
      wants: 'team=blue',
      looked: [{ which: 'object', kind: 'ConfigMap', name: 'one', labels: { team: 'red' } }],
      namespaceLabels: { team: 'red' },
      rulesMatch: true,
    },
  });
  expect(await match({ objectSelector: blue, rules: rulesForSecrets }, creating(configMap()))).toMatchObject({
    reason: { because: 'objectSelector', rulesMatch: false },
  });
});
