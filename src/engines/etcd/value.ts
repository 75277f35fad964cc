import { internalError } from '../../apimachinery/status.ts';
import type { GroupResource } from '../../apimachinery/gvk.ts';
import { goQuote } from '../../apimachinery/field-error.ts';
import { errorText } from '../../apimachinery/error-text.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { readStoredJson } from '../../apimachinery/stored-json.ts';
import { resourceVersionOf } from '../../store/storage.ts';
import type { Stored } from '../../store/storage.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { asDefinitionV1 } from './definition-v1beta1.ts';
import { withPhase } from './filled-in.ts';
import type { KeyValue } from './wire.ts';
import type { Sealing } from '../encryption/sealing.ts';

/** Objects as the bytes that lie in etcd. */
export interface Values {
  readonly encode: (resource: GroupResource, path: string, object: KubernetesObject) => Buffer;
  /** Throws StorageUnavailable for what cannot be opened, or is no JSON of an object. */
  readonly decode: (resource: GroupResource, kv: KeyValue) => Stored;
  /** Has to be waited for before these can be decoded. */
  readonly unlock: (kvs: readonly KeyValue[]) => Promise<void> | undefined;
}

export const valuesBy = (sealing: Sealing): Values => ({
  encode: (resource, path, object) => {
    try {
      return sealing.seal(resource, encodeValue(object), path);
    } catch (error) {
      throw internal(errorText(error));
    }
  },
  decode: (resource, kv) => {
    const { data, stale } = opened(resource, kv, sealing);
    const stored = decodeValue({ ...kv, value: data });
    return stale ? { ...stored, stale } : stored;
  },
  unlock: (kvs) => sealing.unlock(kvs.map(({ value }) => value)),
});

function opened(resource: GroupResource, { key, value }: KeyValue, { open }: Sealing): ReturnType<Sealing['open']> {
  try {
    return open(resource, value, key.toString());
  } catch (error) {
    throw internal(errorText(error));
  }
}

/** Of one of several values. Follows apiserver pkg/storage/etcd3/store.go GetList. */
export const unreadableAt = ({ key }: KeyValue, error: unknown): StorageUnavailable =>
  error instanceof StorageUnavailable && error.status.reason === 'InternalError'
    ? internal(`unable to transform key ${goQuote(key.toString())}: ${error.message}`)
    : new StorageUnavailable(errorText(error));

const internal = (text: string): StorageUnavailable => new StorageUnavailable(text, internalError(text));

/** As kube-apiserver writes with --storage-media-type=application/json: a line of JSON without resourceVersion. */
const encodeValue = (object: KubernetesObject): Buffer =>
  Buffer.from(`${writeJson(withMetadata(object, { resourceVersion: undefined }))}\n`);

/** Throws StorageUnavailable for what is no JSON of an object. */
function decodeValue({ key, value, modRevision: revision }: KeyValue): Stored {
  const object = asKubernetesObject(readStoredJson(value.toString('utf8')));
  if (!object) throw new StorageUnavailable(`${key.toString()} in etcd ${complaintOf(value)}`);
  return {
    object: withMetadata(withPhase(asDefinitionV1(object)), { resourceVersion: resourceVersionOf(revision) }),
    revision,
  };
}

const complaintOf = (value: Buffer): string =>
  value.subarray(0, 4).toString('latin1') === 'k8s\0'
    ? 'is protobuf: have kube-apiserver write JSON (--storage-media-type=application/json)'
    : 'is no JSON of an object';
