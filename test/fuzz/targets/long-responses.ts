import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { collectionOf } from '../../differ/samples.ts';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { type AnswerAct, bytesOf, type Case, type TargetEnvironment, request, type Target } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { findCustomFields, definitions, wideDefinition } from '../long-custom-objects.ts';
import { createLongValue } from '../long-values.ts';
import { findAllFields, type LongField, setAtPath, shuffle } from '../long-fields.ts';

/** The sender of a long response: a webhook that patches the field, one whose response is long there, or a converter. */
type Reach = { readonly place: LongField; readonly by: 'patch' | 'review' | 'converter' };

const text = { type: 'scalar', scalar: 'string' } as const;

const responseFields = (
  [
    ['list', 'warnings'],
    ['map', 'auditAnnotations'],
    ['text', 'status', 'message'],
    ['text', 'status', 'reason'],
    ['list', 'status', 'details', 'causes'],
    ['map', 'status', 'metadata', 'labels'],
    ['map', 'status', 'unknown'],
    ['text', 'uid'],
    ['text', 'patchType'],
    ['text', 'patch'],
    ['list', 'unknown'],
  ] as const
).map(([is, ...path]): LongField => ({ sample: { resource: '', namespaced: false, object: {} }, path, is, of: text }));

const ofCustom = findCustomFields().filter(({ sample }) => sample.resource === 'wides');

const reaches: readonly Reach[] = shuffle<Reach>([
  ...[...findAllFields(), ...ofCustom].filter(isSentToWebhook).map((place): Reach => ({ place, by: 'patch' })),
  ...[...responseFields, ...responseFields].map((place): Reach => ({ place, by: 'review' })),
  ...ofCustom.filter(({ path }) => path[0] === 'spec').map((place): Reach => ({ place, by: 'converter' })),
]);

/** Webhooks are not called for a status here, nor for webhook configurations and policies. */
function isSentToWebhook({ sample, path }: LongField): boolean {
  return path[0] !== 'status' && !collectionOf(sample).includes('/admissionregistration.k8s.io/');
}

/** All long fields in the responses of webhooks and converters, in sequence. */
export const longAnswers: Target = {
  name: 'answers',
  before: (ground) => [
    request('POST', definitions, wideDefinition),
    request('POST', definitions, convertedDefinition(ground)),
    request('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', configuration(ground)),
  ],
  generate: (random, _ground, turn) => {
    const reach = reaches[turn % reaches.length];
    if (reach === undefined) throw new Error('there are no places');
    return cases[reach.by](random, reach.place);
  },
};

const cases: Readonly<Record<Reach['by'], (random: RandomChoices, place: LongField) => Case>> = {
  patch: (random, place) => {
    const { sample, path } = place;
    const [field = ''] = path;
    const items = path.includes(0) ? random.pick([1, 1, 2]) : 1;
    const make = createLongValue(random, place, items);
    const value = setAtPath(sample.object[field], path.slice(1), make, items);
    const patch = Buffer.from(jsonText([{ op: 'add', path: `/${field}`, value }])).toString('base64');
    const collection = collectionOf(sample).replace('/namespaces/differ', '/namespaces/default');
    return [
      review({ uid: '<uid>', allowed: true, patchType: 'JSONPatch', patch }),
      request('POST', `${collection}?dryRun=All`, sample.object),
    ];
  },
  review: (random, place) => {
    const response = { uid: '<uid>', allowed: random.chance(0.5) };
    return [
      review(setAtPath(response, place.path, createLongValue(random, place, 1))),
      request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name: 'a' } }),
    ];
  },
  converter: (random, place) => {
    const { path } = place;
    const items = path.includes(0) ? random.pick([1, 1, 2]) : 1;
    const object = {
      apiVersion: '<version>',
      kind: 'Converted',
      metadata: '<metadata>',
      spec: setAtPath(undefined, path.slice(1), createLongValue(random, place, items), items),
    };
    const response = { uid: '<uid>', result: { status: 'Success' }, convertedObjects: [object] };
    return [
      answerWith({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response }),
      request('POST', `/apis/${group}/v2/namespaces/default/converteds?dryRun=All`, {
        apiVersion: `${group}/v2`,
        kind: 'Converted',
        metadata: { name: 'a' },
        spec: { text: 'a' },
      }),
    ];
  },
};

const answerWith = (body: JsonValue): AnswerAct => ({
  act: 'answer',
  code: 200,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(jsonText(body)),
  manner: 'whole',
});

const review = (response: JsonValue): AnswerAct =>
  answerWith({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });

const configuration = ({ webhook }: TargetEnvironment): JsonObject => ({
  metadata: { name: 'answers' },
  webhooks: [
    {
      name: 'answers.example.com',
      clientConfig: webhook,
      rules: [{ operations: ['CREATE'], apiGroups: ['*'], apiVersions: ['v1', 'v2'], resources: ['*'] }],
      matchConditions: [{ name: 'nothing-that-is-converted', expression: `request.resource.group != '${group}'` }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

const group = 'converted.example.com';

/** A definition with the same fields in two versions. */
function convertedDefinition({ webhook }: TargetEnvironment): JsonObject {
  const [version] = wideDefinition.spec.versions;
  const names = { plural: 'converteds', singular: 'converted', kind: 'Converted', listKind: 'ConvertedList' };
  return {
    ...wideDefinition,
    metadata: { name: `converteds.${group}` },
    spec: {
      ...wideDefinition.spec,
      group,
      names,
      versions: [version, { ...version, name: 'v2', storage: false }].map((one) => ({ ...one })),
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: webhook, conversionReviewVersions: ['v1'] },
      },
    },
  };
}
