import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { type Case, type TargetEnvironment, request, type Target } from '../case.ts';
import { definitions } from '../long-custom-objects.ts';
import { repeatWithWrongEnd } from '../wrong-end.ts';

type Formats = readonly [readonly [name: string, sample: string], ...(readonly [name: string, sample: string])[]];

const formats: Formats = [
  ['email', '"A" (b) <a.b@c.d>'],
  ['email', 'A b <a.b@c.d>'],
  ['email', 'a.b@c.d'],
  ['duration', '1h30m 3 days'],
  ['hostname', 'a-b.example.com'],
  ['uri', 'https://u:p@a.example.com:80/b?c=d#e'],
  ['ipv4', '10.0.0.1'],
  ['ipv6', '::ffff:10.0.0.1'],
  ['cidr', '10.0.0.0/8'],
  ['mac', '00:00:5e:00:53:01'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ['isbn', '978-3-16-148410-0'],
  ['creditcard', '4111 1111 1111 1111'],
  ['ssn', '123-45-6789'],
  ['hexcolor', '#ffffff'],
  ['rgbcolor', 'rgb(1, 2, 3)'],
  ['byte', 'YWJj=='],
  ['date', '2026-01-02'],
  ['date-time', '2026-01-02T03:04:05.678Z'],
  ['quantity', '-1.5e3Mi'],
  ['k8s-long-name', 'a-b.c'],
];

const patterns: Formats = [
  ['(a+)+$', 'aa'],
  ['^([a-z0-9]+([-.][a-z0-9]+)*)+$', 'a-b.c'],
  [Array.from({ length: 10 }, () => '[a-zA-Z0-9]+').join('\\.'), 'a.b.c.d.e.f.g.h.i.j'],
  ['^(a|aa|[^b]*)*b$', 'aab'],
  ['\\s*(.*?)\\s*:\\s*(.*)\\s*$', 'a : b'],
];

const fieldOf = (name: string): string => name.replaceAll('-', '');

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'formats.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'formats', singular: 'format', kind: 'Format', listKind: 'FormatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: Object.fromEntries<JsonObject>([
              ...formats.map(([format]) => [fieldOf(format), { type: 'string', format }] as const),
              ...patterns.map(([pattern], at) => [`pattern${at}`, { type: 'string', pattern }] as const),
            ]),
          },
        },
      },
    ],
  },
} satisfies JsonObject;

const customObject = (field: string, text: string): Case => [
  request('POST', '/apis/fuzz.example.com/v1/namespaces/default/formats?dryRun=All', {
    apiVersion: 'fuzz.example.com/v1',
    kind: 'Format',
    metadata: { name: 'a' },
    [field]: text,
  }),
];

function format(random: RandomChoices): Case {
  const [name, sample] = random.pick(formats);
  return customObject(fieldOf(name), repeatWithWrongEnd(random, sample));
}

function pattern(random: RandomChoices): Case {
  const at = random.upTo(patterns.length - 1);
  return customObject(`pattern${at}`, repeatWithWrongEnd(random, patterns[at]?.[1] ?? ''));
}

const expressions: Formats = [
  ['double(object.data.t) > 0.0', '-1.5e10'],
  ['int(object.data.t) > 0', '-15'],
  ["duration(object.data.t) > duration('1s')", '1h30m'],
  ["timestamp(object.data.t) > timestamp('2020-01-01T00:00:00Z')", '2026-01-02T03:04:05.678Z'],
  ['isURL(object.data.t)', 'https://u:p@a.example.com:80/b?c=d#e'],
  ['isIP(object.data.t)', '::ffff:10.0.0.1'],
  ['isCIDR(object.data.t)', '10.0.0.0/8'],
  ['isQuantity(object.data.t)', '-1.5e3Mi'],
  ['isSemver(object.data.t)', '1.2.3-rc.1+x'],
  ['object.data.t.format([1, 2]) != ""', '%.3e %s %%'],
  ["object.data.t.matches('^(a|a?)+$')", 'aaa'],
  ["object.data.t.findAll('a*b|a').size() > 0", 'aab'],
  ["format.named('qualifiedName').value().validate(object.data.t).hasValue()", 'a.b/c-d'],
  ['format.dns1123Subdomain().validate(object.data.t).hasValue()', 'a-b.c'],
];

function celFunction(random: RandomChoices, { webhook }: TargetEnvironment): Case {
  const [expression, sample] = random.pick(expressions);
  const hook = {
    name: 'w.example.com',
    clientConfig: webhook,
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
    matchConditions: [{ name: 'c', expression }],
  };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  return [
    request('POST', path, { metadata: { name: 'a' }, webhooks: [hook] }),
    request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
      metadata: { name: 'a' },
      data: { t: repeatWithWrongEnd(random, sample) },
    }),
    request('DELETE', `${path}/a`),
  ];
}

const podWith = (spec: JsonObject, container: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec },
});

/** Fields of built-in objects with a syntax. */
const builtIn: readonly [BuiltIn, ...BuiltIn[]] = [
  ['/apis/batch/v1/namespaces/default/cronjobs', '*/5 1-2 * jan,2 mon-fri', (schedule) => cronJob({ schedule })],
  ['/apis/batch/v1/namespaces/default/cronjobs', '@every 1h30m', (schedule) => cronJob({ schedule })],
  ['/apis/batch/v1/namespaces/default/cronjobs', 'Europe/Berlin', (timeZone) => cronJob({ timeZone })],
  ['/api/v1/namespaces/default/pods', "metadata.labels['a.b/c']", (path) => podWith({}, { env: [fromField(path)] })],
  ['/api/v1/namespaces/default/pods', 'a.b:5000/c/d_e:f@sha256:00', (image) => podWith({}, { image })],
  ['/api/v1/namespaces/default/pods', 'iqn.2001-04.com.example:a:b', (iqn) => podWith({ volumes: [iscsi(iqn)] })],
  ['/api/v1/namespaces/default/pods', '1.5Gi', (cpu) => podWith({}, { resources: { limits: { cpu } } })],
  ['/api/v1/namespaces/default/pods', 'net.ipv4.ip_forward', (name) => podWith(sysctl(name))],
  ['/api/v1/namespaces/default/pods', 'localhost/a', (localhostProfile) => podWith(seccomp(localhostProfile))],
];

type BuiltIn = readonly [collection: string, sample: string, objectOf: (text: string) => JsonObject];

const cronJob = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    schedule: '* * * * *',
    ...spec,
    jobTemplate: { spec: { template: podWith({ restartPolicy: 'Never' }) } },
  },
});

const fromField = (fieldPath: string): JsonObject => ({ name: 'A', valueFrom: { fieldRef: { fieldPath } } });

const iscsi = (iqn: string): JsonObject => ({ name: 'v', iscsi: { targetPortal: '10.0.0.1', iqn, lun: 0 } });

const sysctl = (name: string): JsonObject => ({ securityContext: { sysctls: [{ name, value: '1' }] } });

const seccomp = (localhostProfile: string): JsonObject => ({
  securityContext: { seccompProfile: { type: 'Localhost', localhostProfile } },
});

function builtInObject(random: RandomChoices): Case {
  const [collection, sample, objectOf] = random.pick(builtIn);
  return [request('POST', `${collection}?dryRun=All`, objectOf(repeatWithWrongEnd(random, sample)))];
}

/** Texts with a format or a syntax, each of one repeated character and a wrong end. */
export const formatTexts: Target = {
  name: 'formats',
  before: () => [request('POST', definitions, definition)],
  generate: (random, ground) =>
    random.pick([
      () => format(random),
      () => format(random),
      () => pattern(random),
      () => celFunction(random, ground),
      () => builtInObject(random),
      () => builtInObject(random),
    ])(),
};
