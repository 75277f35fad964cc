import { expect, test } from 'vitest';
import { plainObject } from '../../../../src/testing/scenario/record/plain-object.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { webhookDefaults } from '../../../../src/machinery/meta/webhook-fields.ts';

const webhook = { name: 'a.example.com', rules: [{ resources: ['pods'] }] };
const configuration = (fields: JsonObject): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'a' },
  webhooks: [{ ...webhook, ...fields }],
});
const pod = (spec: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });

test('the defaults of webhooks are left out of their configurations', () => {
  expect(plainObject(configuration(webhookDefaults('mutating')))).toEqual(configuration({}));
});

test.each<JsonObject>([
  { failurePolicy: 'Ignore' },
  { timeoutSeconds: 11 },
  { namespaceSelector: { matchLabels: { a: 'b' } } },
  { reinvocationPolicy: 'IfNeeded' },
])('%j of a webhook is kept: it is no default', (fields) => {
  expect(plainObject(configuration(fields))).toEqual(configuration(fields));
});

// Without it the term would mean the Pod's own namespace; with it, all namespaces.
test('an empty namespaceSelector of an affinity is kept: there it is no default', () => {
  const podAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', namespaceSelector: {} }],
  };
  expect(plainObject(pod({ affinity: { podAffinity } }))).toEqual(pod({ affinity: { podAffinity } }));
});

test('a probe that waits ten seconds says so: its default is one', () => {
  const containers = [{ name: 'a', livenessProbe: { timeoutSeconds: 10 } }];
  expect(plainObject(pod({ containers, restartPolicy: 'Always' }))).toEqual(pod({ containers }));
});
