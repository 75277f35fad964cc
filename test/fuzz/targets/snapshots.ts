import { gzipSync } from 'node:zlib';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts } from '../../harness/hostile-value.ts';
import { apiVersionOf } from '../../../src/machinery/meta/gvk.ts';
import { amplify } from '../amplify.ts';
import { bytesOf, type FolderAct, type TargetEnvironment, type Target } from '../case.ts';
import { kindOf } from '../kind-of-collection.ts';
import { jsonText } from '../json-text.ts';
import { withFuzzWebhook } from '../fuzz-webhook-address.ts';

const linesInAFile = 40;

/** Snapshots: restored into the running server, or loaded at the start of another one. */
export const snapshotFiles: Target = {
  name: 'snapshot',
  generate: (random, ground) => [folder(random, ground)],
};

function folder(random: RandomChoices, ground: TargetEnvironment): FolderAct {
  const name = random.pick(['a.jsonl', 'a.jsonl.gz', 'a.yaml']);
  const text = lines(random, ground).join('\n');
  const bytes = random.chance(0.3) ? gzipSync(text) : bytesOf(text);
  const files = { [name]: random.chance(0.1) ? bytes.subarray(0, random.upTo(bytes.length)) : bytes };
  const serve = ['serve', '--secure-port=0', '--ui-port=-1', '--cert-dir=certs', '--write-kubeconfig=certs/k'];
  return {
    act: 'folder',
    files,
    command: random.chance(0.75)
      ? ['snapshot', 'restore', name, '--kubeconfig', '$KUBECONFIG']
      : [...serve, '--load', name],
  };
}

function lines(random: RandomChoices, ground: TargetEnvironment): readonly string[] {
  let header: unknown = { kadmitSnapshot: 1, takenAt: '2026-01-01T00:00:00Z', server: 'https://a', secrets: false };
  while (random.chance(0.08)) header = mutateValue(random, header);
  const objects = Array.from({ length: 1 + random.upTo(linesInAFile) }, (_none, index) =>
    object(random, ground, index),
  );
  const end = random.chance(0.95) ? [{ objects: objects.length }] : random.pick([[], [{ objects: -1 }], [{}, {}]]);
  return [header, ...objects, ...end, ''].map((value) => (value === '' ? '' : jsonText(value)));
}

function object(random: RandomChoices, ground: TargetEnvironment, index: number): unknown {
  const [collection, body] = random.pick(samples);
  const kind = kindOf(collection);
  const namespace = collection.includes('/namespaces/')
    ? { namespace: random.pick(['default', 'new', 'kube-system']) }
    : {};
  const metadata = {
    name: random.chance(0.9) ? `o-${index}` : random.pick(oddTexts),
    ...namespace,
    uid: random.chance(0.9) ? `u-${index}` : 'u-1',
    resourceVersion: random.pick(['1', '9007199254740993', '-1', 'x']),
    creationTimestamp: '2020-01-01T00:00:00Z',
    ...(random.chance(0.1) ? { deletionTimestamp: '2020-01-01T00:00:00Z', finalizers: ['a/b'] } : {}),
    ...(random.chance(0.1)
      ? { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o-0', uid: 'u-0' }] }
      : {}),
  };
  let made: unknown = { metadata, ...withFuzzWebhook(body, ground) };
  while (random.chance(0.3)) made = mutateValue(random, made);
  made = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...Object(made) };
  if (random.chance(0.005)) made = mutateValue(random, made);
  return random.chance(0.01) ? amplify(random, made) : made;
}
