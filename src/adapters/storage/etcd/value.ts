import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { readStoredJson } from '../../../machinery/json/stored-json.ts';
import { resourceVersionOf } from '../../../apiserver/storage/storage.ts';
import type { Stored } from '../../../apiserver/storage/storage.ts';
import { StorageUnavailable } from '../../../apiserver/storage/storage-unavailable.ts';
import { asDefinitionV1 } from './definition-v1beta1.ts';
import { withPhase } from './filled-in.ts';
import type { KeyValue } from './wire.ts';

/** As kube-apiserver writes with --storage-media-type=application/json: a line of JSON without resourceVersion. */
export const encodeValue = (object: KubernetesObject): Buffer =>
  Buffer.from(`${writeJson(withMetadata(object, { resourceVersion: undefined }))}\n`);

/** Throws StorageUnavailable for what is no JSON of an object. */
export function decodeValue({ key, value, modRevision: revision }: KeyValue): Stored {
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
