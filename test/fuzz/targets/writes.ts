import type { RandomChoices } from '../../harness/random-choices.ts';
import { mutateValue } from '../../harness/hostile-value.ts';
import {
  deletion,
  type Sample,
  samples,
  type SubresourceWrite,
  subresourceWrites,
} from '../../harness/hostile-samples.ts';
import { maximalObject } from '../../harness/maximal-object.ts';
import { amplify } from '../amplify.ts';
import { pickName, generateWriteQuery } from '../api-path.ts';
import { type TargetEnvironment, request, type RequestAct, type Target } from '../case.ts';
import { asJson, asYaml, type Encoded } from '../encodings.ts';
import { kindOf } from '../kind-of-collection.ts';
import { generateProtobuf } from '../protobuf.ts';
import { withFuzzWebhook } from '../fuzz-webhook-address.ts';

/** The encoding of an object as a body. */
type Encode = (random: RandomChoices, object: object, collection: string) => Encoded;

const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
] as const;

const writesIn = (name: string, encode: Encode): Target => ({
  name,
  generate: (random, ground) => {
    const [collection, template] = random.pick<readonly [Sample, ...Sample[]]>(samples);
    const object = random.chance(0.15) ? maximalObject(kindOf(collection)) : withFuzzWebhook(template, ground);
    const [body, at] = [{ ...object, metadata: { name: pickName(random), labels: { a: 'b' } } }, pickName(random)];
    const item = `${collection}/${at}`;
    const send = (method: string, path: string, value: object): RequestAct => {
      const { type, bytes } = encode(random, value, collection);
      const headers = { 'content-type': type, accept: random.pick(accepts) };
      return {
        act: 'request',
        method,
        path: path + generateWriteQuery(random),
        headers,
        body: bytes,
        http2: random.chance(0.2),
      };
    };
    return random.pick([
      () => [send('POST', collection, body)],
      () => [send('POST', collection, body)],
      () => [send('POST', collection, body), send('PUT', item, body)],
      () => [request('POST', collection, { ...body, metadata: { name: at } }), send('PUT', item, body)],
      () => [send('POST', collection, body), send('DELETE', item, deletion)],
      () => [send('DELETE', collection, deletion)],
      () => onSubresource(random, send, ground),
    ])();
  },
});

function onSubresource(
  random: RandomChoices,
  send: (method: string, path: string, value: object) => RequestAct,
  ground: TargetEnvironment,
): readonly RequestAct[] {
  const name = pickName(random);
  const [method, path, template] = random.pick<readonly [SubresourceWrite, ...SubresourceWrite[]]>(subresourceWrites);
  const body = { ...withFuzzWebhook(template ?? {}, ground), metadata: { name } };
  return [send(method, path.replace('NAME', name), body)];
}

const mutateRandomly = (random: RandomChoices, object: object): unknown => {
  let value: unknown = object;
  while (random.chance(0.55)) value = mutateValue(random, value);
  return random.chance(0.12) ? amplify(random, value) : value;
};

/** Bodies in the forms that users and clients send. */
export const jsonBodies = writesIn('json', (random, object) => asJson(random, mutateRandomly(random, object)));

export const yamlBodies = writesIn('yaml', (random, object) => asYaml(random, mutateRandomly(random, object)));

export const protobufBodies = writesIn('protobuf', (random, object, collection) => ({
  type: 'application/vnd.kubernetes.protobuf',
  bytes: generateProtobuf(random, object, kindOf(collection)),
}));
