import { expect, test } from 'vitest';
import { removedApiAdvice } from '../../../src/machinery/meta/removed-apis.ts';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';

const advice = (apiVersion: string, kind: string, object: JsonObject = {}): string | undefined =>
  removedApiAdvice({ ...parseApiVersion(apiVersion), kind }, object);

// Source: kubernetes.io/docs/reference/using-api/deprecation-guide
const kinds: readonly [apiVersion: string, kind: string, advice: string | undefined][] = [
  ['apps/v1', 'Deployment', undefined],
  ['networking.k8s.io/v1beta1', 'IPAddress', undefined],
  ['storage.k8s.io/v1beta1', 'VolumeAttributesClass', undefined],
  ['batch/v1beta1', 'CronJob', 'batch/v1beta1 CronJob is gone since Kubernetes 1.25: write apiVersion: batch/v1'],
  [
    'extensions/v1beta1',
    'Deployment',
    'extensions/v1beta1 Deployment is gone since Kubernetes 1.16: write apiVersion: apps/v1; spec.selector is required and has to match the labels of the template',
  ],
  [
    'policy/v1beta1',
    'PodSecurityPolicy',
    'policy/v1beta1 PodSecurityPolicy is gone since Kubernetes 1.25: use the pod-security.kubernetes.io labels of namespaces, or a policy or webhook',
  ],
];

test.each(kinds)('%s %s', (apiVersion, kind, expected) => {
  expect(advice(apiVersion, kind)).toBe(expected);
});

const v1beta1 = 'admissionregistration.k8s.io/v1beta1';
const head = `${v1beta1} MutatingWebhookConfiguration is gone since Kubernetes 1.22: write apiVersion: admissionregistration.k8s.io/v1`;
const complete = {
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  failurePolicy: 'Fail',
  matchPolicy: 'Exact',
  timeoutSeconds: 5,
};

// Source: kubernetes pkg/apis/admissionregistration/v1beta1/defaults.go against v1/defaults.go, and validation.go
const webhooks: readonly [fact: string, webhooks: readonly JsonObject[], notes: string][] = [
  ['one that says everything', [complete], ''],
  [
    'defaults that have changed',
    [{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] }],
    '; webhooks[0] a.example.com: to keep what was the default add failurePolicy: Ignore, matchPolicy: Exact, timeoutSeconds: 30',
  ],
  [
    'side effects that v1 refuses',
    [{ ...complete, sideEffects: 'Some' }],
    '; webhooks[0] a.example.com: sideEffects has to be None or NoneOnDryRun',
  ],
  [
    'versions that were [v1beta1] by default',
    [{ ...complete, admissionReviewVersions: [] }],
    '; webhooks[0] a.example.com: admissionReviewVersions is required (it was [v1beta1] by default)',
  ],
  ['a name that comes twice', [complete, complete], '; names have to be unique, and a.example.com is not'],
];

test.each(webhooks)('a webhook configuration: %s', (_fact, list, notes) => {
  expect(advice(v1beta1, 'MutatingWebhookConfiguration', { webhooks: list })).toBe(`${head}${notes}`);
});
