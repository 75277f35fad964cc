import { expect, test } from 'vitest';
import { readJson } from '../../src/machinery/json/json-reader.ts';
import { parseApiVersion, type GroupVersionKind } from '../../src/machinery/meta/gvk.ts';
import type { Decoded } from '../../src/api/codec/decode.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const kinds: Readonly<Record<string, GroupVersionKind>> = {
  ConfigMap: { group: '', version: 'v1', kind: 'ConfigMap' },
  Pod: { group: '', version: 'v1', kind: 'Pod' },
  Service: { group: '', version: 'v1', kind: 'Service' },
  Event: { group: '', version: 'v1', kind: 'Event' },
  PersistentVolumeClaim: { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
  Secret: { group: '', version: 'v1', kind: 'Secret' },
  Role: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' },
  Deployment: { group: 'apps', version: 'v1', kind: 'Deployment' },
  StatefulSet: { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  ControllerRevision: { group: 'apps', version: 'v1', kind: 'ControllerRevision' },
  ValidatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'ValidatingWebhookConfiguration',
  },
  Lease: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  CustomResourceDefinition: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  HorizontalPodAutoscaler: { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  DeleteOptions: { group: 'apps', version: 'v1', kind: 'DeleteOptions' },
};

function decode(kind: string, text: string): Decoded {
  const reading = readJson(text);
  const gvk = kinds[kind];
  if (reading.outcome !== 'read' || gvk === undefined) throw new Error(`cannot read ${text}`);
  return recordedRelease.codec.decode(reading.json, gvk);
}

function printed(kind: string, text: string): string {
  const decoded = decode(kind, text);
  if (decoded.outcome !== 'decoded') return decoded.error;
  const {
    kind: _kind,
    apiVersion: _apiVersion,
    metadata: _metadata,
    ...rest
  } = recordedRelease.codec.printed(decoded.object);
  return JSON.stringify(rest);
}

const unmarshal = 'json: cannot unmarshal';
const quantityError = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const pod = (container: string): string => `{"spec":{"containers":[${container}]}}`;
const port = (value: string): string => pod(`{"ports":[{"containerPort":${value}}]}`);
const inPort = 'into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32';
const inTargetPort = 'into Go struct field ServicePort.spec.ports.targetPort of type int32';
const target = (value: string): string => `{"spec":{"ports":[{"targetPort":${value}}]}}`;
const schema = (text: string): string => `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${text}}}]}}`;
const inSchema = 'Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema';
const memory = (value: string): string => pod(`{"resources":{"limits":{"memory":${value}}}}`);

// spec/kubectl.md section 7.2; test/facts crud-wrong-types; the last rows follow sigs.k8s.io/json decode.go.
test.each([
  ['a string for an integer', 'Pod', port('"80"'), `${unmarshal} string ${inPort}`],
  ['a fraction for an integer', 'Pod', port('80.0'), `${unmarshal} number 80.0 ${inPort}`],
  ['an exponent for an integer', 'Pod', port('8e1'), `${unmarshal} number 8e1 ${inPort}`],
  ['more than 32 bits', 'Pod', port('4294967296'), `${unmarshal} number 4294967296 ${inPort}`],
  [
    'a time that is none',
    'ConfigMap',
    '{"metadata":{"creationTimestamp":"nope"}}',
    'parsing time "nope" as "2006-01-02T15:04:05Z07:00": cannot parse "nope" as "2006"',
  ],
  [
    'a number for a time',
    'ConfigMap',
    '{"metadata":{"creationTimestamp":5}}',
    `${unmarshal} number into Go struct field ObjectMeta.metadata.creationTimestamp of type string`,
  ],
  [
    'texts for bytes',
    'ConfigMap',
    '{"binaryData":{"a":[1,"x"]}}',
    `${unmarshal} string into Go struct field ConfigMap.binaryData of type uint8`,
  ],
  [
    'a number above a byte',
    'ConfigMap',
    '{"binaryData":{"a":[300]}}',
    `${unmarshal} number 300 into Go struct field ConfigMap.binaryData of type uint8`,
  ],
  ['a quantity that is none', 'Pod', memory('"abc"'), quantityError],
  ['a bool for a quantity', 'Pod', memory('true'), quantityError],
  ['an empty quantity', 'Pod', memory('""'), quantityError],
  ['a comma in a quantity', 'Pod', memory('"1,5"'), quantityError],
  [
    'text for a resource list',
    'Pod',
    pod('{"resources":{"limits":"x"}}'),
    `${unmarshal} string into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList`,
  ],
  [
    'a length that is none, inside the items of a schema',
    'CustomResourceDefinition',
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"items":{"minLength":"x"}}}}}]}}',
    `${unmarshal} string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.items.minLength of type int64`,
  ],
  [
    'definitions that are no map',
    'CustomResourceDefinition',
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"definitions":[]}}}]}}',
    `${unmarshal} array into ${inSchema}.definitions of type v1.JSONSchemaDefinitions`,
  ],
  [
    'dependencies that are no map',
    'CustomResourceDefinition',
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"dependencies":"x"}}}]}}',
    `${unmarshal} string into ${inSchema}.dependencies of type v1.JSONSchemaDependencies`,
  ],
  [
    'rules that are no list',
    'CustomResourceDefinition',
    '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"x-kubernetes-validations":{}}}}]}}',
    `${unmarshal} object into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.x-kubernetes-validations of type v1.ValidationRules`,
  ],
  ['a fraction for a target port', 'Service', target('80.5'), `${unmarshal} number 80.5 ${inTargetPort}`],
  ['a bool for a target port', 'Service', target('true'), `${unmarshal} bool ${inTargetPort}`],
  ['an object for a target port', 'Service', target('{}'), `${unmarshal} object ${inTargetPort}`],
  [
    'a number for an enumerated string',
    'Pod',
    '{"spec":{"restartPolicy":1}}',
    `${unmarshal} number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy`,
  ],
  [
    'a field of an inlined struct',
    'Pod',
    '{"spec":{"volumes":[{"emptyDir":1}]}}',
    `${unmarshal} number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource`,
  ],
  [
    // Recorded from kube-apiserver v1.36.2.
    'a field of another one, with an object for a list',
    'ValidatingWebhookConfiguration',
    '{"webhooks":[{"rules":[{"resources":{}}]}]}',
    `${unmarshal} object into Go struct field RuleWithOperations.webhooks.rules.Rule.resources of type []string`,
  ],
  [
    'the first of two errors',
    'Pod',
    '{"spec":{"restartPolicy":1,"containers":2}}',
    `${unmarshal} number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy`,
  ],
  [
    "a parser's error before an earlier type error",
    'Pod',
    '{"spec":{"restartPolicy":1,"overhead":{"cpu":"x"}}}',
    quantityError,
  ],
  [
    'a schema that is a number',
    'CustomResourceDefinition',
    schema('{"additionalProperties":5}'),
    'boolean or JSON schema expected',
  ],
  [
    'a wrong field of a schema in a union',
    'CustomResourceDefinition',
    schema('{"items":{"type":5}}'),
    `${unmarshal} number into ${inSchema}.items.type of type string`,
  ],
  [
    'a wrong field of a schema',
    'CustomResourceDefinition',
    schema('{"properties":{"a":{"type":5}}}'),
    `${unmarshal} number into ${inSchema}.properties.type of type string`,
  ],
  ['an array for the object', 'ConfigMap', '[]', `${unmarshal} array into Go value of type v1.ConfigMap`],
])('%s is refused', (_sentence, kind, text, error) => {
  expect(decode(kind, text)).toEqual({ outcome: 'undecodable', error });
});

// spec/kubectl.md sections 7.2 and 12.1.
test.each([
  [
    'a null integer is zero',
    'Pod',
    port('null'),
    '{"spec":{"containers":[{"name":"","ports":[{"containerPort":0}],"resources":{}}]},"status":{}}',
  ],
  [
    'minus zero is zero',
    'Pod',
    port('-0'),
    '{"spec":{"containers":[{"name":"","ports":[{"containerPort":0}],"resources":{}}]},"status":{}}',
  ],
  ['null in a map of strings is empty', 'ConfigMap', '{"data":{"b":null,"a":"1"}}', '{"data":{"a":"1","b":""}}'],
  ['empty maps go', 'ConfigMap', '{"data":{}}', '{}'],
  ['a given false stays behind a pointer', 'ConfigMap', '{"immutable":false}', '{"immutable":false}'],
  [
    'quantities are canonical',
    'Pod',
    '{"spec":{"containers":null,"overhead":{"a":1,"b":1.5,"c":1e3,"d":"0.1m","e":null,"f":"1000m","g":"1024Mi"}}}',
    '{"spec":{"containers":null,"overhead":{"a":"1","b":"1500m","c":"1e3","d":"1m","e":"0","f":"1","g":"1Gi"}},"status":{}}',
  ],
  [
    'a target port keeps its kind',
    'Service',
    '{"spec":{"ports":[{"port":1,"targetPort":"80"},{"port":2,"targetPort":80}]}}',
    '{"spec":{"ports":[{"port":1,"targetPort":"80"},{"port":2,"targetPort":80}]},"status":{"loadBalancer":{}}}',
  ],
  [
    'an event has its zero values',
    'Event',
    '{"involvedObject":{}}',
    '{"involvedObject":{},"source":{},"firstTimestamp":null,"lastTimestamp":null,"eventTime":null,"reportingComponent":"","reportingInstance":""}',
  ],
  [
    'an autoscaler has its zero values',
    'HorizontalPodAutoscaler',
    '{}',
    '{"spec":{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":0},"status":{"desiredReplicas":0,"currentMetrics":null}}',
  ],
  [
    'a pointer that is always printed',
    'PersistentVolumeClaim',
    '{"spec":{"dataSource":{"kind":"a","name":"b"}}}',
    '{"spec":{"resources":{},"dataSource":{"apiGroup":null,"kind":"a","name":"b"}},"status":{}}',
  ],
  ['a list that is always printed', 'Role', '{}', '{"rules":null}'],
  ['an empty list that is always printed', 'Role', '{"rules":[]}', '{"rules":[]}'],
  ['bytes may be a list of numbers', 'Secret', '{"data":{"a":[104,null,255]}}', '{"data":{"a":"aAD/"}}'],
  ['no bytes', 'Secret', '{"data":{"a":[],"b":null}}', '{"data":{"a":"","b":""}}'],
  ['base64 is normal', 'Secret', '{"data":{"a":"QR=="}}', '{"data":{"a":"QQ=="}}'],
  [
    'times in a Lease have six decimals',
    'Lease',
    '{"spec":{"renewTime":"2026-01-02T03:04:05.123456+01:00"}}',
    '{"spec":{"renewTime":"2026-01-02T02:04:05.123456Z"}}',
  ],
  [
    'raw data stays',
    'ControllerRevision',
    '{"data":{"z":{"y":[1,null]},"a":9007199254740993}}'.replace('9007199254740993', '12'),
    '{"data":{"z":{"y":[1,null]},"a":12},"revision":0}',
  ],
  [
    'a claim template keeps its kind',
    'StatefulSet',
    '{"spec":{"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim"}]}}',
    '{"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{},"spec":{"resources":{}},"status":{}}],"serviceName":"","updateStrategy":{}},"status":{"replicas":0,"availableReplicas":0}}',
  ],
  [
    'options decode in any group',
    'DeleteOptions',
    '{"propagationPolicy":"Background","gracePeriodSeconds":0}',
    '{"gracePeriodSeconds":0,"propagationPolicy":"Background"}',
  ],
  [
    'what fits no union is nothing',
    'CustomResourceDefinition',
    schema('{"items":5,"dependencies":{"a":[],"b":["c"],"d":1}}'),
    '{"spec":{"group":"","names":{"plural":"","kind":""},"scope":"","versions":[{"name":"","served":false,"storage":false,"schema":{"openAPIV3Schema":{"dependencies":{"a":null,"b":["c"],"d":null}}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
  ],
  [
    'a schema may be a boolean',
    'CustomResourceDefinition',
    '{"spec":{"group":"g","names":{"plural":"p","kind":"k"},"scope":"Cluster","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"additionalProperties":false,"items":{"type":"string"},"default":1}}}]}}',
    '{"spec":{"group":"g","names":{"plural":"p","kind":"k"},"scope":"Cluster","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"default":1,"items":{"type":"string"},"additionalProperties":false}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
  ],
])('%s', (_sentence, kind, text, expected) => {
  expect(printed(kind, text)).toBe(expected);
});

// spec/kubectl.md section 7.1; test/facts crud-field-validation-warn.
test.each([
  [
    'unknown and repeated fields in order',
    'Pod',
    '{"metadata":{"lables":{}},"spec":{"containers":[{"name":"a","name":"b"}],"zork":{"x":1,"x":2}},"extra":1}',
    [
      'unknown field "metadata.lables"',
      'duplicate field "spec.containers[0].name"',
      'unknown field "spec.zork"',
      'unknown field "extra"',
    ],
  ],
  ['names are case-sensitive', 'ConfigMap', '{"metadata":{"Name":"x"}}', ['unknown field "metadata.Name"']],
  [
    'unknown only',
    'Pod',
    '{"spec":{"containers":[{"name":"c","foo":1}],"bar":true}}',
    ['unknown field "spec.containers[0].foo"', 'unknown field "spec.bar"'],
  ],
  ['raw data is not looked into', 'ControllerRevision', '{"data":{"a":1,"a":2}}', []],
  [
    'a prototype key is just unknown',
    'ConfigMap',
    '{"__proto__":{"a":1},"data":{"__proto__":"x"}}',
    ['unknown field "__proto__"'],
  ],
])('strict decoding: %s', (_sentence, kind, text, strict) => {
  expect(decode(kind, text)).toMatchObject({ outcome: 'decoded', strict });
});

test('prototype keys stay data', () => {
  expect(printed('ConfigMap', '{"data":{"__proto__":"x","constructor":"y"}}')).toBe(
    '{"data":{"__proto__":"x","constructor":"y"}}',
  );
});

test('kind and apiVersion are filled in, first', () => {
  const decoded = decode('Deployment', '{"metadata":{"name":"a"}}');
  expect(decoded.outcome === 'decoded' && JSON.stringify(decoded.object).slice(0, 70)).toBe(
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"s',
  );
});

test('nesting as deep as may be read is no crash', () => {
  const deep = `${'{"items":'.repeat(490)}{}${'}'.repeat(490)}`;
  const crd = `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${deep}}}]}}`;
  expect(decode('CustomResourceDefinition', crd).outcome).toBe('decoded');
});

function decoded(apiVersion: string, kind: string, body: string): unknown {
  const reading = readJson(`{${body}}`);
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const result = recordedRelease.codec.decode(reading.json, { ...parseApiVersion(apiVersion), kind });
  return result.outcome === 'decoded' ? result.object : result.error;
}

const configMap = (body: string): unknown => decoded('v1', 'ConfigMap', body);

// Source: sigs.k8s.io/json internal/golang/encoding/json/decode.go object and array; the same bodies to kube-apiserver v1.36.2.
test.each<readonly [string, string, object]>([
  ['keys of a map are kept', '"data":{"a":"1","b":"2"},"data":{"b":"3","c":"4"}', { data: { a: '1', b: '3', c: '4' } }],
  ['null empties a map', '"data":{"a":"1"},"data":null,"data":{"b":"2"}', { data: { b: '2' } }],
  ['an empty map takes nothing away', '"data":{"a":"1"},"data":{}', { data: { a: '1' } }],
  ['null empties a pointer', '"immutable":true,"immutable":null', { metadata: {} }],
  ['null leaves a text', '"metadata":{"name":"a","name":null}', { metadata: { name: 'a' } }],
  [
    'fields of a struct are kept',
    '"metadata":{"name":"a","labels":{"x":"y"}},"metadata":{"labels":{"z":"w"},"annotations":{"q":"r"}}',
    { metadata: { name: 'a', labels: { x: 'y', z: 'w' }, annotations: { q: 'r' } } },
  ],
  ['null leaves a struct', '"metadata":{"name":"a"},"metadata":null', { metadata: { name: 'a' } }],
  [
    'a list has the items of the last one',
    '"metadata":{"finalizers":["a/b","c/d"],"finalizers":["e/f"]}',
    { metadata: { finalizers: ['e/f'] } },
  ],
  [
    'items are read over those in their places',
    '"metadata":{"ownerReferences":[{"name":"n","uid":"u"}],"ownerReferences":[{"name":"m"},{"name":"o"}]}',
    {
      metadata: {
        ownerReferences: [
          { name: 'm', uid: 'u' },
          { name: 'o', uid: '' },
        ].map((o) => ({ apiVersion: '', kind: '', ...o })),
      },
    },
  ],
  ['a key of a map has its last value', '"data":{"a":"x","a":"y"}', { data: { a: 'y' } }],
])('of a repeated key: %s', (_fact, body, expected) => {
  expect(configMap(body)).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, ...expected });
});

test('each value of a repeated key must fit', () => {
  expect(configMap('"data":{"a":1},"data":{"a":"x"}')).toBe(
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

test('what is repeated inside of what is repeated is merged too', () => {
  const probe = '"livenessProbe":{"httpGet":{"port":80},"httpGet":{"path":"/x"}}';
  const body = `"spec":{"containers":[{"name":"c",${probe}}]},"spec":{"containers":[{"image":"i"}],"restartPolicy":"Never"}`;
  expect(decoded('v1', 'Pod', body)).toMatchObject({
    spec: {
      containers: [{ name: 'c', image: 'i', livenessProbe: { httpGet: { port: 80, path: '/x' } } }],
      restartPolicy: 'Never',
    },
  });
});

test('a key that is repeated twenty thousand times is read in time that grows with the text', () => {
  const maps = Array.from({ length: 20_000 }, (_none, at) => `"data":{"k${at}":""}`).join(',');
  expect(configMap(maps)).toMatchObject({ data: { k0: '', k19999: '' } });
});
