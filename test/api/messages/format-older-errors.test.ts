import { expect, test } from 'vitest';
import {
  duplicate,
  type FieldError,
  fieldErrorText,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../../src/machinery/meta/field-error.ts';
import { formatErrorsForRelease, type ErrorSubject } from '../../../src/api/messages/format-older-errors.ts';

const of = (resource: string, group = ''): ErrorSubject => ({ group, resource, isCustom: false });
const webhooks = of('mutatingwebhookconfigurations', 'admissionregistration.k8s.io');
const bindings = of('validatingadmissionpolicybindings', 'admissionregistration.k8s.io');
const definitions = of('customresourcedefinitions', 'apiextensions.k8s.io');
const widgets: ErrorSubject = { group: 'example.com', resource: 'widgets', isCustom: true };
const ofRule = (value: string | number, ruleOf: string): FieldError => ({
  ...invalidValue('spec.a', value, 'a is fixed'),
  ruleOf,
});
const rule = {
  Rule: 'self.none == 1',
  Message: '',
  MessageExpression: '',
  Reason: null,
  FieldPath: '',
  OptionalOldSelf: null,
};

// Answers of kube-apiserver v1.32.0.
test.each<[ErrorSubject, FieldError, string]>([
  [
    webhooks,
    invalidValue('webhooks[0].admissionReviewVersions', ['v9'], 'must include at least one of v1, v1beta1'),
    'webhooks[0].admissionReviewVersions: Invalid value: []string{"v9"}: must include at least one of v1, v1beta1',
  ],
  [
    webhooks,
    required('webhooks[0].clientConfig.service.name', ''),
    'webhooks[0].clientConfig.service.name: Required value: service name is required',
  ],
  [
    bindings,
    invalidValue('spec.validationActions', ['Deny', 'Warn'], 'must not contain both'),
    'spec.validationActions: Invalid value: []admissionregistration.ValidationAction{"Deny", "Warn"}: must not contain both',
  ],
  [
    definitions,
    invalidValue('spec.x.x-kubernetes-validations[0].rule', rule, 'no'),
    'spec.x.x-kubernetes-validations[0].rule: Invalid value: apiextensions.ValidationRule{Rule:"self.none == 1", Message:"", MessageExpression:"", Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}: no',
  ],
  [
    definitions,
    invalidValue('spec.x.x-kubernetes-validations[0].fieldPath', '.none', 'must be a valid path'),
    'spec.x.x-kubernetes-validations[0].fieldPath: Invalid value: ".none": fieldPath must be a valid path',
  ],
  [
    definitions,
    invalidValue('status.storedVersions', null, 'no'),
    'status.storedVersions: Invalid value: []string(nil): no',
  ],
  [
    definitions,
    invalidValue('spec.x.items.x-kubernetes-map-type', null, 'must be atomic'),
    'spec.x.items.x-kubernetes-map-type: Invalid value: "null": must be atomic',
  ],
  [definitions, tooLong('spec.x.default', 1), 'spec.x.default: Too long: may not be more than 1 bytes'],
  [
    widgets,
    duplicate('spec.o[1]', { a: 1, b: 'x' }),
    'spec.o[1]: Duplicate value: map[string]interface {}{"a":1, "b":"x"}',
  ],
  [widgets, notSupported('spec.o', null, ['x']), 'spec.o: Unsupported value: "null": supported values: "x"'],
  [widgets, ofRule('other', 'string'), 'spec.a: Invalid value: "string": a is fixed'],
  [widgets, ofRule(5, 'integer'), 'spec.a: Invalid value: "integer": a is fixed'],
  [
    widgets,
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
  ],
  [
    of('deployments', 'apps'),
    invalidValue('spec.selector', { matchLabels: { a: 'c' } }, 'field is immutable'),
    'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"a":"c"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
  ],
  [
    of('certificatesigningrequests', 'certificates.k8s.io'),
    invalidValue('spec.request', 'bm90IGEgY3Ny', 'PEM block type must be CERTIFICATE REQUEST'),
    'spec.request: Invalid value: []byte{0x6e, 0x6f, 0x74, 0x20, 0x61, 0x20, 0x63, 0x73, 0x72}: PEM block type must be CERTIFICATE REQUEST',
  ],
  [
    of('resourcequotas'),
    invalidValue('spec.hard[bogus]', 'bogus', 'must be a standard resource for quota'),
    'spec.hard[bogus]: Invalid value: bogus: must be a standard resource for quota',
  ],
  [
    of('limitranges'),
    invalidValue('spec.limits[0].min[cpu]', '2', 'min value 2 is greater than max value 1'),
    'spec.limits[0].min[cpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:2, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"2", Format:"DecimalSI"}: min value 2 is greater than max value 1',
  ],
  // The same in every release.
  [of('configmaps'), invalidValue('metadata.name', 'A', 'no'), 'metadata.name: Invalid value: "A": no'],
  [of('pods'), forbiddenField('spec', 'no'), 'spec: Forbidden: no'],
  [of('pods'), invalidValue('spec.priority', 5, 'no'), 'spec.priority: Invalid value: 5: no'],
])('1.32 says of %o: %o', (subject, error, text) => {
  expect(formatErrorsForRelease(32)([error], subject).map(fieldErrorText)).toEqual([text]);
});

test('values are JSON since 1.34, and values that rules refuse are shown since 1.35', () => {
  const errors = [invalidValue('spec.l', ['v9'], 'no'), ofRule('other', 'string')];
  const said = (minor: number): readonly string[] => formatErrorsForRelease(minor)(errors, widgets).map(fieldErrorText);
  const rows = ['spec.a: Invalid value: "string": a is fixed', 'spec.a: Invalid value: "other": a is fixed'];
  expect(said(33)).toEqual(['spec.l: Invalid value: []interface {}{"v9"}: no', rows[0]]);
  expect(said(34)).toEqual(['spec.l: Invalid value: ["v9"]: no', rows[0]]);
  expect(said(35)).toEqual(['spec.l: Invalid value: ["v9"]: no', rows[1]]);
});
