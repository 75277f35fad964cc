import { gzipSync } from 'node:zlib';
import type { Draw } from '../../harness/draw.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts } from '../../harness/hostile-value.ts';
import { apiVersionOf } from '../../../src/machinery/meta/gvk.ts';
import { amplified } from '../amplify.ts';
import { bytesOf, type FolderAct, type Ground, type Target } from '../case.ts';
import { kindOf } from '../kind-of.ts';
import { jsonText } from '../json-text.ts';
import { reachable } from '../reachable.ts';

const linesInAFile = 40;

/** Snapshots: restored into the running server, or loaded at the start of another one. */
export const snapshotFiles: Target = {
  name: 'snapshot',
  draw: (draw, ground) => [folder(draw, ground)],
};

function folder(draw: Draw, ground: Ground): FolderAct {
  const name = draw.one(['a.jsonl', 'a.jsonl.gz', 'a.yaml']);
  const text = lines(draw, ground).join('\n');
  const bytes = draw.chance(0.3) ? gzipSync(text) : bytesOf(text);
  const files = { [name]: draw.chance(0.1) ? bytes.subarray(0, draw.upTo(bytes.length)) : bytes };
  const serve = ['serve', '--secure-port=0', '--ui-port=-1', '--cert-dir=certs', '--write-kubeconfig=certs/k'];
  return {
    act: 'folder',
    files,
    command: draw.chance(0.75)
      ? ['snapshot', 'restore', name, '--kubeconfig', '$KUBECONFIG']
      : [...serve, '--load', name],
  };
}

function lines(draw: Draw, ground: Ground): readonly string[] {
  let header: unknown = { kadmitSnapshot: 1, takenAt: '2026-01-01T00:00:00Z', server: 'https://a', secrets: false };
  while (draw.chance(0.08)) header = mutateValue(draw, header);
  const objects = Array.from({ length: 1 + draw.upTo(linesInAFile) }, (_none, index) => object(draw, ground, index));
  const end = draw.chance(0.95) ? [{ objects: objects.length }] : draw.one([[], [{ objects: -1 }], [{}, {}]]);
  return [header, ...objects, ...end, ''].map((value) => (value === '' ? '' : jsonText(value)));
}

function object(draw: Draw, ground: Ground, index: number): unknown {
  const [collection, body] = draw.one(samples);
  const kind = kindOf(collection);
  const namespace = collection.includes('/namespaces/')
    ? { namespace: draw.one(['default', 'new', 'kube-system']) }
    : {};
  const metadata = {
    name: draw.chance(0.9) ? `o-${index}` : draw.one(oddTexts),
    ...namespace,
    uid: draw.chance(0.9) ? `u-${index}` : 'u-1',
    resourceVersion: draw.one(['1', '9007199254740993', '-1', 'x']),
    creationTimestamp: '2020-01-01T00:00:00Z',
    ...(draw.chance(0.1) ? { deletionTimestamp: '2020-01-01T00:00:00Z', finalizers: ['a/b'] } : {}),
    ...(draw.chance(0.1)
      ? { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o-0', uid: 'u-0' }] }
      : {}),
  };
  let made: unknown = { metadata, ...reachable(body, ground) };
  while (draw.chance(0.3)) made = mutateValue(draw, made);
  made = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...Object(made) };
  if (draw.chance(0.005)) made = mutateValue(draw, made);
  return draw.chance(0.01) ? amplified(draw, made) : made;
}
