import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Draw } from '../../harness/draw.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { amplified } from '../amplify.ts';
import { type AnswerAct, bytesOf, type Ground, request, type RequestAct, type Target } from '../case.ts';
import { asYaml } from '../encodings.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Responses of webhooks: valid and invalid reviews, patches, codes, headers, infinite bodies, and no response. */
export const webhookAnswers: Target = {
  name: 'webhook',
  before: (ground) => [configuration(ground, 'mutating'), configuration(ground, 'validating')],
  draw: (draw) => [answer(draw), write(draw)],
};

function configuration({ webhook }: Ground, type: 'mutating' | 'validating'): RequestAct {
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

function write(draw: Draw): RequestAct {
  const object = { metadata: { generateName: 'a-', labels: { a: 'b' } }, data: { k: 'v' } };
  const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }] }];
  return draw.one([
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

function answer(draw: Draw): AnswerAct {
  const { headers, body } = coded(draw, bodyOf(draw));
  return {
    act: 'answer',
    code: draw.chance(0.85) ? 200 : draw.one([200, 201, 204, 301, 302, 400, 404, 429, 500, 503, 599, 600, 999]),
    headers: { ...headers, ...oddHeaders(draw) },
    body,
    manner: draw.one([
      'whole',
      'whole',
      'whole',
      'whole',
      'in pieces',
      draw.chance(0.1) ? 'repeated' : 'whole',
      draw.chance(0.1) ? 'unfinished' : 'whole',
    ]),
  };
}

function bodyOf(draw: Draw): Uint8Array {
  let review: unknown = {
    apiVersion: draw.chance(0.9) ? 'admission.k8s.io/v1' : 'admission.k8s.io/v1beta1',
    kind: 'AdmissionReview',
    response: response(draw),
  };
  while (draw.chance(0.3)) review = mutateValue(draw, review);
  if (draw.chance(0.15)) review = amplified(draw, review);
  if (draw.chance(0.12)) return asYaml(draw, review).bytes;
  const text = JSON.stringify(review);
  return bytesOf(draw.chance(0.1) ? corruptText(draw, text) : text);
}

function response(draw: Draw): object {
  const base = { uid: draw.chance(0.97) ? '<uid>' : draw.one(oddTexts), allowed: draw.chance(0.75) };
  const patch = { patchType: draw.one(['JSONPatch', 'JSONPatch', 'JSONPatch', 'Full', '']), patch: patchText(draw) };
  const status = {
    code: draw.one([
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
    message: draw.one(oddTexts),
    reason: draw.one(oddTexts),
    details: { causes: [{ message: 'm' }], retryAfterSeconds: draw.one([1, -1, 2 ** 31]) },
  };
  return {
    ...base,
    ...(draw.chance(0.5) ? patch : {}),
    ...(draw.chance(0.35) ? { status } : {}),
    ...(draw.chance(0.3) ? { warnings: warnings(draw) } : {}),
    ...(draw.chance(0.15) ? { auditAnnotations: { [draw.one(oddTexts)]: draw.one(oddTexts), a: 'b' } } : {}),
  };
}

const warnings = (draw: Draw): readonly string[] =>
  Array.from({ length: draw.chance(0.9) ? draw.upTo(4) : draw.upTo(100_000) }, () =>
    draw.one(['careful', 'a\r\nX-Injected: 1', '"\\', ...oddTexts]),
  );

function patchText(draw: Draw): string {
  const operation = (): unknown => ({
    op: draw.one(['add', 'add', 'replace', 'remove', 'copy', 'move', 'test', 'zap']),
    path: draw.one([
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
    from: draw.one(['/data', '/metadata', '', '/nowhere']),
    value: draw.one<readonly [unknown, ...unknown[]]>([
      'v',
      { a: 'b' },
      null,
      1,
      [],
      { name: 'd', image: 'i' },
      ...oddTexts,
    ]),
  });
  const operations = Array.from({ length: draw.upTo(3) }, operation);
  const text = draw.chance(0.1)
    ? doubling(draw)
    : JSON.stringify(draw.chance(0.1) ? amplified(draw, operations) : operations);
  const encoded = Buffer.from(draw.chance(0.1) ? corruptText(draw, text) : text).toString('base64');
  return draw.chance(0.05) ? corruptText(draw, encoded) : encoded;
}

/** Copies the object into itself repeatedly. */
const doubling = (draw: Draw): string =>
  JSON.stringify([
    { op: 'add', path: '/data', value: { a: 'x'.repeat(100) } },
    ...Array.from({ length: draw.upTo(40) }, (_none, index) => ({
      op: 'copy',
      from: '/data',
      path: `/data/c${index}`,
    })),
  ]);

interface Coded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sometimes compressed, also to a hundredth of its size. */
function coded(draw: Draw, body: Uint8Array): Coded {
  const type = draw.chance(0.85)
    ? 'application/json'
    : draw.one(['text/plain', 'application/yaml', '', 'application/vnd.kubernetes.protobuf']);
  const headers = { 'content-type': type };
  if (draw.chance(0.92)) return { headers, body };
  const large = draw.chance(0.5) ? Buffer.concat([body, Buffer.alloc(64 * 1024 * 1024, ' ')]) : body;
  return draw.one([
    () => ({ headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(large) }),
    () => ({ headers: { ...headers, 'content-encoding': 'gzip' }, body }),
    () => ({ headers: { ...headers, 'content-encoding': 'br' }, body: brotliCompressSync(body) }),
    () => ({ headers: { ...headers, 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(large)) }),
    () => ({ headers: { ...headers, 'content-encoding': 'deflate' }, body }),
  ])();
}

const oddHeaders = (draw: Draw): Readonly<Record<string, string>> =>
  draw.chance(0.9)
    ? {}
    : draw.one([
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
