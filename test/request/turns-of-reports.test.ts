import { expect, test } from 'vitest';
import { validatePolicyBinding } from '../../src/admission/configuration/validate-binding.ts';
import { validateMutatingPolicy } from '../../src/admission/configuration/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../../src/admission/configuration/validate-validating-policy.ts';
import { validateWebhookConfiguration } from '../../src/admission/configuration/validate-webhook-configuration.ts';
import { restoreManagedFields } from '../../src/admission/managed-fields-guard.ts';
import { firstOfEachKey, ownAnnotations, patchAnnotation } from '../../src/admission/webhooks/audit-annotations.ts';
import { webhooksOf } from '../../src/admission/webhooks/configuration.ts';
import { decodeReview } from '../../src/admission/webhooks/review-shape.ts';
import { readVerdict } from '../../src/admission/webhooks/verdict.ts';
import { goQuote, invalidValue } from '../../src/apimachinery/field-error.ts';
import { goPrint } from '../../src/apimachinery/go-print.ts';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { decodeClientPatch, decodePatch } from '../../src/apimachinery/json-patch-decode.ts';
import { parseLabelSelector } from '../../src/apimachinery/label-selector.ts';
import { readJson } from '../../src/apimachinery/json-reader.ts';
import { withMetadata } from '../../src/apimachinery/object.ts';
import { checkReview } from '../../src/auth/reviews/check-review.ts';
import type { Compilation } from '../../src/cel/index.ts';
import { finalizerWarnings } from '../../src/crd/instances/finalizer-warnings.ts';
import { parseFieldSelector } from '../../src/request/field-selector.ts';
import { patchedText } from '../../src/request/stages/patched-text.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';
import { validateConfigMap } from '../../src/schema/validate/config-data.ts';
import { tooLargeNumberIn } from '../../src/apimachinery/too-large-number.ts';
import { unifiedDiff } from '../../src/apimachinery/unified-diff.ts';
import { internalForm } from '../../src/schema/types/internal-form.ts';
import { validateLimitRange } from '../../src/schema/validate/limit-range.ts';
import { validateObjectMetaUpdate } from '../../src/schema/validate/object-meta.ts';
import { podWarnings } from '../../src/schema/validate/pod-warnings.ts';
import { alwaysLate } from '../harness/turns.ts';

// What is said of a large body is found in turns: others are let in as often as its size asks for it.

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_none, at) => item(at));
const fields = (length: number): { [field: string]: string } =>
  Object.fromEntries(list(length, (at) => [`f${length - at}`, 'v']));
const repeated = `{"data":{${'"a":"b",'.repeat(9_000)}"a":"c"}}`;
const pod = (ports: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'a', ports }] },
});
const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
const webhook = (at: number) => ({ name: `a${at}.b.c`, sideEffects: 'None', admissionReviewVersions: ['v1'] });
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
};
const policy = (spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: { failurePolicy: 'Fail', ...spec },
});
const auditAnnotations = fields(300);
const asked = { uid: 'u', version: 'v1beta1', phase: 'validating' } as const;
const [caller] = webhooksOf({ ...policy({}), kind: 'ValidatingWebhookConfiguration', webhooks: [webhook(0)] });
if (!caller) throw new Error('there is no webhook');
const quantities = (length: number, value: string): { [name: string]: string } =>
  Object.fromEntries(list(length, (at) => [`example.com/${at}`, value]));
/** Nothing that anybody writes is an expression. */
const compile = (): Compilation => ({ outcome: 'failed', error: 'compilation failed' });
const texts = (length: number): string[] => list(length, (at) => `Deny${at}`);
const keysOf = (text: string): readonly string[] => {
  const reading = readJson(text);
  return reading.outcome === 'read' ? reading.json.keys().map(({ path }) => path) : [];
};
const numbers = { text: '{"a":1}', value: { a: 1 }, hasDuplicates: false, keys: () => [] };

/** Of a selector all that can be compared. */
const requirements = (text: string): unknown => {
  const reading = parseLabelSelector(text);
  return reading.outcome === 'selector' ? reading.selector.requirements : reading.error;
};
const fieldMatches = (text: string): unknown => {
  const reading = parseFieldSelector(text, { group: '', resource: 'pods' });
  return reading.outcome === 'parsed' ? reading.matches({ apiVersion: 'v1', kind: 'Pod' }) : reading.error;
};

const reports: Readonly<Record<string, readonly [least: number, work: () => unknown]>> = {
  'keys that stand twice': [4, () => keysOf(repeated)],
  'a JSON patch of many operations': [
    100,
    () => decodeClientPatch(JSON.stringify(list(600, (at) => ({ op: 'add', path: `/data/${at}`, value: 'v' }))), true),
  ],
  'fields that nobody knows': [
    300,
    () =>
      currentRelease.codec.decodeValue(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, ...fields(300) },
        configMap,
      ),
  ],
  'a patched document in the text of its refusal': [500, () => patchedText({ data: fields(500) }, {})],
  'a label selector of many requirements': [
    2_400,
    () => requirements(list(1_200, (at) => (at % 2 === 0 ? `k${at}!=v` : `k${at}`)).join(',')),
  ],
  'a label selector of many values': [20, () => requirements(`a in (${list(2_500, (at) => `v${at}`).join(',')})`)],
  'a label selector that goes wrong at its end': [10, () => requirements(`${'a,'.repeat(1_200)}a b`)],
  'values of a label that are none': [300, () => requirements(`a in (${list(300, (at) => `-${at}`).join(',')})`)],
  'a field selector of many terms': [300, () => fieldMatches(list(300, (at) => `metadata.name!=a${at}`).join(','))],
  'a value as Go prints it': [250, () => goPrint({ a: list(150, (at) => at), b: fields(150) })],
  'finalizers that come too late': [
    300,
    () => {
      const metadata = {
        name: 'p',
        namespace: 'd',
        uid: 'u',
        resourceVersion: '1',
        deletionTimestamp: '2020-01-01T00:00:00Z',
      };
      return validateObjectMetaUpdate({ ...metadata, finalizers: texts(300) }, metadata, 'metadata');
    },
  ],
  'a list as Go prints it, of internal types': [
    300,
    () =>
      internalForm(
        '[]core.NodeSelectorTerm',
        list(300, (at) => ({ matchFields: [{ key: `k${at}`, values: [] }] })),
      ),
  ],
  'a map as Go prints it, of internal types': [300, () => internalForm('map quantity', fields(300))],
  'a long value in a complaint': [20, () => invalidValue('spec', texts(60_000), 'no')],
  'how two large values differ': [2, () => unifiedDiff(texts(300), texts(301))],
  'whether a number of a text may be too large': [1, () => tooLargeNumberIn(numbers)],
  'a long text in quotes': [16, () => goQuote('"a"\n'.repeat(256 * 1024))],
  'a long text in a JSON patch, told of apart from reading it': [
    2,
    () => decodePatch(JSON.stringify([{ op: 'add', path: '/data', value: '"'.repeat(256 * 1024) }])),
  ],
  'what a webhook notes and warns of': [
    590,
    () => decodeReview({ response: { auditAnnotations, warnings: texts(300) } }),
  ],
  'a patch that is a list of bytes': [300, () => decodeReview({ response: { patch: list(300, (at) => at % 256) } })],
  'what a webhook notes and warns of, taken over': [
    590,
    () => readVerdict({ response: { auditAnnotations, warnings: texts(300) } }, asked),
  ],
  'what a webhook notes, for the audit log': [300, () => ownAnnotations(caller, auditAnnotations)],
  'the first note of each key': [
    300,
    () => firstOfEachKey(list(300, (at) => ({ key: `k${at % 200}`, value: `v${at}`, level: 'Metadata' }))),
  ],
  'a patch in the audit log': [
    320,
    () =>
      patchAnnotation(
        { webhook: caller, round: 0, index: 0 },
        list(300, (at) => ({ value: 'v'.repeat(1_000), path: `/data/${at}`, op: 'add' })),
      ),
  ],
  'names of a limit range': [
    800,
    () => {
      const [max, min] = [quantities(400, '1'), quantities(200, '2')];
      return validateLimitRange({ ...policy({}), spec: { limits: [{ type: 'Container', max, min }] } });
    },
  ],
  'ports that get in the way of no other': [
    300,
    () => podWarnings(pod(list(300, (at) => ({ containerPort: at + 1, name: `p${at}` })))),
  ],
  'actions of a binding that are none': [
    300,
    () => validatePolicyBinding({ ...binding, spec: { policyName: 'p', validationActions: texts(300) } }),
  ],
  'rules of a binding and what is in them': [
    1_200,
    () => {
      const rule = { operations: texts(300), apiGroups: [''], apiVersions: list(300, () => ''), resources: texts(300) };
      const matchResources = { resourceRules: [{ ...rule, resourceNames: texts(300) }] };
      return validatePolicyBinding({ ...binding, spec: { policyName: 'p', matchResources } });
    },
  ],
  'annotations of a policy that stand twice': [
    600,
    () => validateValidatingPolicy(policy({ auditAnnotations: list(300, (at) => ({ key: `k${at % 200}` })) }), compile),
  ],
  'variables and validations of a policy that go wrong': [
    600,
    () => {
      const variables = list(300, (at) => ({ name: `v${at}`, expression: 'a' }));
      return validateValidatingPolicy(policy({ variables, validations: variables }), compile);
    },
  ],
  'mutations of a policy, and operations that are none': [
    600,
    () => {
      const matchConstraints = { resourceRules: [{ operations: texts(300) }] };
      return validateMutatingPolicy(policy({ matchConstraints, mutations: list(300, () => ({})) }), compile);
    },
  ],
  'the size of a ConfigMap': [1_100, () => validateConfigMap({ ...policy({}), kind: 'ConfigMap', data: fields(600) })],
  'managedFields that a webhook left behind': [
    300,
    () => {
      const fieldsV1 = { 'f:data': { ...Object.fromEntries(texts(300).map((text) => [`f:${text}`, {}])), bad: {} } };
      const entry = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 } as const;
      return restoreManagedFields(policy({}), withMetadata(policy({}), { managedFields: [entry] }));
    },
  ],
  'requirements of an access review': [
    300,
    () => {
      const labelSelector = { requirements: list(300, () => ({ operator: 'In' })) };
      const spec = { user: 'u', resourceAttributes: { labelSelector } };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec };
      return checkReview(review, '');
    },
  ],
  'finalizers of a custom resource without a domain': [
    300,
    () => finalizerWarnings({ apiVersion: 'a.b/v1', kind: 'C', metadata: { finalizers: texts(300) } }),
  ],
  'versions of reviews': [
    300,
    () =>
      validateWebhookConfiguration({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'w' },
        webhooks: [{ ...webhook(0), admissionReviewVersions: texts(300) }],
      }),
  ],
  'very many webhooks': [
    300,
    () =>
      validateWebhookConfiguration({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'w' },
        webhooks: list(300, webhook),
      }),
  ],
};

test.each(Object.entries(reports))('%s: others are let in, and the same is said', (_what, [least, work]) => {
  const late = alwaysLate();
  expect(inTurns(work, late)).toEqual(work());
  expect(late.asked()).toBeGreaterThanOrEqual(least);
});

test('ports that are all in the way of each other are warned of until nobody would hear it any more', () => {
  const warnings = podWarnings(pod(list(20_000, () => ({ containerPort: 80 }))));
  expect(warnings.length).toBeGreaterThan(1_000);
  expect(warnings.length).toBeLessThan(2_000);
});
