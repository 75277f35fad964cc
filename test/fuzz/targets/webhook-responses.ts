import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { amplify } from '../amplify.ts';
import { type AnswerAct, bytesOf, type TargetEnvironment, request, type RequestAct, type Target } from '../case.ts';
import { asYaml } from '../encodings.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Responses of webhooks: valid and invalid reviews, patches, codes, headers, infinite bodies, and no response. */
export const webhookAnswers: Target = {
  name: 'webhook',
  before: (ground) => [configuration(ground, 'mutating'), configuration(ground, 'validating')],
  generate: (random) => [answer(random), write(random)],
};

function configuration({ webhook }: TargetEnvironment, type: 'mutating' | 'validating'): RequestAct {
  const hook = {
    name: `${type}.example.com`,
    clientConfig: webhook,
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1', 'v1beta1'],
    timeoutSeconds: 1,
    ...(type === 'mutating' ? { reinvocationPolicy: 'IfNeeded' } : {}),
  };
  return request('POST', `${admission}/${type}webhookconfigurations`, { metadata: { name: type }, webhooks: [hook] });
}

function write(random: RandomChoices): RequestAct {
  const object = { metadata: { generateName: 'a-', labels: { a: 'b' } }, data: { k: 'v' } };
  const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }] }];
  return random.pick([
    () => request('POST', `${configMaps}?dryRun=All`, object),
    () => request('POST', `${configMaps}?dryRun=All`, object),
    () =>
      request('POST', '/api/v1/namespaces/default/pods?dryRun=All', {
        metadata: object.metadata,
        spec: { containers },
      }),
    () => ({ ...request('POST', `${configMaps}?dryRun=All`, object), http2: true }),
  ])();
}

function answer(random: RandomChoices): AnswerAct {
  const { headers, body } = compressBody(random, bodyOf(random));
  return {
    act: 'answer',
    code: random.chance(0.85) ? 200 : random.pick([200, 201, 204, 301, 302, 400, 404, 429, 500, 503, 599, 600, 999]),
    headers: { ...headers, ...oddHeaders(random) },
    body,
    manner: random.pick([
      'whole',
      'whole',
      'whole',
      'whole',
      'in pieces',
      random.chance(0.1) ? 'repeated' : 'whole',
      random.chance(0.1) ? 'unfinished' : 'whole',
    ]),
  };
}

function bodyOf(random: RandomChoices): Uint8Array {
  let review: unknown = {
    apiVersion: random.chance(0.9) ? 'admission.k8s.io/v1' : 'admission.k8s.io/v1beta1',
    kind: 'AdmissionReview',
    response: response(random),
  };
  while (random.chance(0.3)) review = mutateValue(random, review);
  if (random.chance(0.15)) review = amplify(random, review);
  if (random.chance(0.12)) return asYaml(random, review).bytes;
  const text = JSON.stringify(review);
  return bytesOf(random.chance(0.1) ? corruptText(random, text) : text);
}

function response(random: RandomChoices): object {
  const base = { uid: random.chance(0.97) ? '<uid>' : random.pick(oddTexts), allowed: random.chance(0.75) };
  const patch = {
    patchType: random.pick(['JSONPatch', 'JSONPatch', 'JSONPatch', 'Full', '']),
    patch: patchText(random),
  };
  const status = {
    code: random.pick([
      403,
      200,
      0,
      -1,
      99,
      100,
      101,
      199,
      300,
      404,
      500,
      599,
      600,
      999,
      1000,
      999_999,
      2 ** 31,
      1e21,
      '403',
    ]),
    message: random.pick(oddTexts),
    reason: random.pick(oddTexts),
    details: { causes: [{ message: 'm' }], retryAfterSeconds: random.pick([1, -1, 2 ** 31]) },
  };
  return {
    ...base,
    ...(random.chance(0.5) ? patch : {}),
    ...(random.chance(0.35) ? { status } : {}),
    ...(random.chance(0.3) ? { warnings: warnings(random) } : {}),
    ...(random.chance(0.15) ? { auditAnnotations: { [random.pick(oddTexts)]: random.pick(oddTexts), a: 'b' } } : {}),
  };
}

const warnings = (random: RandomChoices): readonly string[] =>
  Array.from({ length: random.chance(0.9) ? random.upTo(4) : random.upTo(100_000) }, () =>
    random.pick(['careful', 'a\r\nX-Injected: 1', '"\\', ...oddTexts]),
  );

function patchText(random: RandomChoices): string {
  const operation = (): unknown => ({
    op: random.pick(['add', 'add', 'replace', 'remove', 'copy', 'move', 'test', 'zap']),
    path: random.pick([
      '/data/x',
      '/metadata/labels/a',
      '/metadata/annotations',
      '/data',
      '',
      '/-',
      '/metadata/name',
      '/spec/containers/0/image',
      '/spec/containers/-',
      '/__proto__/a',
      '/metadata/labels/__proto__',
      '/constructor/prototype/b',
      '/kind',
    ]),
    from: random.pick(['/data', '/metadata', '', '/nowhere']),
    value: random.pick<readonly [unknown, ...unknown[]]>([
      'v',
      { a: 'b' },
      null,
      1,
      [],
      { name: 'd', image: 'i' },
      ...oddTexts,
    ]),
  });
  const operations = Array.from({ length: random.upTo(3) }, operation);
  const text = random.chance(0.1)
    ? copyRepeatedly(random)
    : JSON.stringify(random.chance(0.1) ? amplify(random, operations) : operations);
  const encoded = Buffer.from(random.chance(0.1) ? corruptText(random, text) : text).toString('base64');
  return random.chance(0.05) ? corruptText(random, encoded) : encoded;
}

/** Copies the object into itself repeatedly. */
const copyRepeatedly = (random: RandomChoices): string =>
  JSON.stringify([
    { op: 'add', path: '/data', value: { a: 'x'.repeat(100) } },
    ...Array.from({ length: random.upTo(40) }, (_none, index) => ({
      op: 'copy',
      from: '/data',
      path: `/data/c${index}`,
    })),
  ]);

interface EncodedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sometimes compressed, also to a hundredth of its size. */
function compressBody(random: RandomChoices, body: Uint8Array): EncodedBody {
  const type = random.chance(0.85)
    ? 'application/json'
    : random.pick(['text/plain', 'application/yaml', '', 'application/vnd.kubernetes.protobuf']);
  const headers = { 'content-type': type };
  if (random.chance(0.92)) return { headers, body };
  const large = random.chance(0.5) ? Buffer.concat([body, Buffer.alloc(64 * 1024 * 1024, ' ')]) : body;
  return random.pick([
    () => ({ headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(large) }),
    () => ({ headers: { ...headers, 'content-encoding': 'gzip' }, body }),
    () => ({ headers: { ...headers, 'content-encoding': 'br' }, body: brotliCompressSync(body) }),
    () => ({ headers: { ...headers, 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(large)) }),
    () => ({ headers: { ...headers, 'content-encoding': 'deflate' }, body }),
  ])();
}

const oddHeaders = (random: RandomChoices): Readonly<Record<string, string>> =>
  random.chance(0.9)
    ? {}
    : random.pick([
        { 'retry-after': '99999999' },
        { 'retry-after': '-1' },
        { location: '//[' },
        { location: '/' },
        { 'content-length': '5' },
        { 'content-length': '99999999' },
        { 'x-large': 'x'.repeat(100_000) },
        { trailer: 'x' },
        { connection: 'close' },
        { 'set-cookie': 'a=b' },
      ]);
