import { expect, test } from 'vitest';
import { negotiate, type OfferedTypes, parseAccept, producedBy } from '../../../src/adapters/http/accept.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const objects: OfferedTypes = { mediaTypes: ['application/json', 'application/yaml', protobuf], transforms: true };
const errors: OfferedTypes = { ...objects, transforms: false };
const watches: OfferedTypes = { ...objects, streams: true };

const meta = (as: string, version = 'v1'): string => `application/json;as=${as};v=${version};g=meta.k8s.io`;
const pbMeta = (as: string): string => `${protobuf};as=${as};g=meta.k8s.io;v=v1`;

// Source: apiserver pkg/endpoints/handlers/negotiation/negotiate_test.go; the headers clients send (spec section 2.2).
const accepted: readonly [fact: string, accept: string | undefined, offer: OfferedTypes, result: string][] = [
  ['no header', undefined, objects, 'application/json object'],
  ['an empty header', '', objects, 'application/json object'],
  ['JSON', 'application/json', objects, 'application/json object'],
  ['anything', '*/*', objects, 'application/json object'],
  ['a lone star', '*', objects, 'application/json object'],
  ['a part of anything', 'application/*', objects, 'application/json object'],
  ['client-node', 'application/json, */*;q=0.8', objects, 'application/json object'],
  ['protobuf or JSON, as typed Go clients', `${protobuf},application/json`, objects, 'application/json object'],
  ['protobuf or anything, as controller-runtime', `${protobuf}, */*`, objects, 'application/json object'],
  ['protobuf alone', protobuf, objects, `${protobuf} object`],
  ['an error in protobuf', protobuf, errors, `${protobuf} object`],
  ['a watch in protobuf', `${protobuf};stream=watch`, watches, `${protobuf} object`],
  ['metadata in protobuf', pbMeta('PartialObjectMetadata'), objects, `${protobuf} PartialObjectMetadata v1`],
  [
    'a transformed protobuf before plain JSON',
    `${pbMeta('PartialObjectMetadataList')},application/json`,
    objects,
    `${protobuf} PartialObjectMetadataList v1`,
  ],
  [
    'no Table in protobuf, so the next clause',
    `${pbMeta('Table')},application/json`,
    objects,
    'application/json object',
  ],
  ['YAML', 'application/yaml', objects, 'application/yaml object'],
  ['the better quality first', 'application/json;q=0.5,application/yaml', objects, 'application/yaml object'],
  ['unknown parameters do not matter', 'application/json;charset=utf-8', objects, 'application/json object'],
  ['pretty is no obstacle', 'application/json;pretty=1', objects, 'application/json object'],
  ['a Table', meta('Table'), objects, 'application/json Table v1'],
  [
    'kubectl get',
    `${meta('Table')},${meta('Table', 'v1beta1')},application/json`,
    objects,
    'application/json Table v1',
  ],
  [
    'an unknown Table version falls to the next clause',
    `${meta('Table', 'v2')},application/json`,
    objects,
    'application/json object',
  ],
  [
    'the metadata client',
    `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${meta('PartialObjectMetadata')},application/json`,
    objects,
    'application/json PartialObjectMetadata v1',
  ],
  [
    'a list of metadata in the old version',
    meta('PartialObjectMetadataList', 'v1beta1'),
    objects,
    'application/json PartialObjectMetadataList v1beta1',
  ],
  ['an error is no Table', `${meta('Table')},application/json`, errors, 'application/json object'],
  ['a watch', 'application/json;stream=watch', watches, 'application/json object'],
];

test.each(accepted)('%s is served', (_fact, accept, offer, result) => {
  const negotiated = negotiate(accept, offer);
  expect(negotiated.outcome).toBe('accepted');
  const { mediaType, representation } = { mediaType: '', representation: { as: '', version: '' }, ...negotiated };
  expect(`${mediaType} ${representation.as}${representation.as === 'object' ? '' : ` ${representation.version}`}`).toBe(
    result,
  );
});

const only =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
const streams =
  'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
const available =
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf';

const refused: readonly [fact: string, accept: string, offer: OfferedTypes, message: string][] = [
  ['a type that is not served', 'text/html', { ...objects, route: producedBy.object }, available],
  [
    'a type that is not served, of a collection',
    'text/html',
    { ...objects, route: producedBy.collection },
    `${available}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
  ],
  ['half a type: the route wants whole ones', 'application/*', { ...objects, route: producedBy.object }, available],
  ['the case of a type', 'Application/JSON', { ...objects, route: producedBy.object }, available],
  [
    'a log',
    'text/html;q=0.1',
    { ...objects, route: producedBy.log },
    available.replace('application/json', 'text/plain, application/json'),
  ],
  ['a Table in protobuf', pbMeta('Table'), objects, only],
  // Source: kube-apiserver v1.36.2, for a custom resource, which has no route.
  ['capital letters', 'APPLICATION/JSON', objects, only],
  ['an unknown kind', meta('Chair'), objects, only],
  ['a kind of another group', 'application/json;as=Table;v=v1;g=apps', objects, only],
  ['a version without a kind', 'application/json;v=v1;g=meta.k8s.io', objects, only],
  ['a Table where there are none', meta('Table'), errors, only],
  ['a stream of something else', 'application/json;stream=exec', objects, only],
  ['a stream of YAML', 'application/yaml;stream=watch', objects, only],
  ['a watch in YAML', 'application/yaml', watches, streams],
  ['a watch in YAML rather than JSON', 'application/yaml, application/json', watches, streams],
  ['a watch as a chair', meta('Chair'), watches, streams],
];

test.each(refused)('%s is refused', (_fact, accept, offer, message) => {
  expect(negotiate(accept, offer)).toMatchObject({
    outcome: 'refused',
    status: { code: 406, reason: 'NotAcceptable', message },
  });
});

test('a refusal of the route says its code last, as every Status does', () => {
  const refused = negotiate('text/csv', { ...objects, route: ['application/json'] });
  expect(refused.outcome === 'refused' && Object.keys(refused.status).slice(-2)).toEqual(['details', 'code']);
});

test('of clauses that stand there again and again one is looked at', () => {
  expect(parseAccept('a/b,application/json;q=0.5,a/b,a/b').map(({ type }) => type)).toEqual(['a', 'application']);
});
