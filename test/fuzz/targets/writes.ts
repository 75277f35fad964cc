import type { Draw } from '../../harness/draw.ts';
import { mutateValue } from '../../harness/hostile-value.ts';
import {
  deletion,
  type Sample,
  samples,
  type SubresourceWrite,
  subresourceWrites,
} from '../../harness/hostile-samples.ts';
import { maximalObject } from '../../harness/maximal-object.ts';
import { amplified } from '../amplify.ts';
import { nameOf, writeQuery } from '../api-path.ts';
import { type Ground, request, type RequestAct, type Target } from '../case.ts';
import { asJson, asYaml, type Encoded } from '../encodings.ts';
import { kindOf } from '../kind-of.ts';
import { protobufOf } from '../protobuf.ts';
import { reachable } from '../reachable.ts';

/** The encoding of an object as a body. */
type Encode = (draw: Draw, object: object, collection: string) => Encoded;

const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
] as const;

const writesIn = (name: string, encode: Encode): Target => ({
  name,
  draw: (draw, ground) => {
    const [collection, template] = draw.one<readonly [Sample, ...Sample[]]>(samples);
    const object = draw.chance(0.15) ? maximalObject(kindOf(collection)) : reachable(template, ground);
    const [body, at] = [{ ...object, metadata: { name: nameOf(draw), labels: { a: 'b' } } }, nameOf(draw)];
    const item = `${collection}/${at}`;
    const send = (method: string, path: string, value: object): RequestAct => {
      const { type, bytes } = encode(draw, value, collection);
      const headers = { 'content-type': type, accept: draw.one(accepts) };
      return { act: 'request', method, path: path + writeQuery(draw), headers, body: bytes, http2: draw.chance(0.2) };
    };
    return draw.one([
      () => [send('POST', collection, body)],
      () => [send('POST', collection, body)],
      () => [send('POST', collection, body), send('PUT', item, body)],
      () => [request('POST', collection, { ...body, metadata: { name: at } }), send('PUT', item, body)],
      () => [send('POST', collection, body), send('DELETE', item, deletion)],
      () => [send('DELETE', collection, deletion)],
      () => onSubresource(draw, send, ground),
    ])();
  },
});

function onSubresource(
  draw: Draw,
  send: (method: string, path: string, value: object) => RequestAct,
  ground: Ground,
): readonly RequestAct[] {
  const name = nameOf(draw);
  const [method, path, template] = draw.one<readonly [SubresourceWrite, ...SubresourceWrite[]]>(subresourceWrites);
  const body = { ...reachable(template ?? {}, ground), metadata: { name } };
  return [send(method, path.replace('NAME', name), body)];
}

const spoilt = (draw: Draw, object: object): unknown => {
  let value: unknown = object;
  while (draw.chance(0.55)) value = mutateValue(draw, value);
  return draw.chance(0.12) ? amplified(draw, value) : value;
};

/** Bodies in the forms that users and clients send. */
export const jsonBodies = writesIn('json', (draw, object) => asJson(draw, spoilt(draw, object)));

export const yamlBodies = writesIn('yaml', (draw, object) => asYaml(draw, spoilt(draw, object)));

export const protobufBodies = writesIn('protobuf', (draw, object, collection) => ({
  type: 'application/vnd.kubernetes.protobuf',
  bytes: protobufOf(draw, object, kindOf(collection)),
}));
