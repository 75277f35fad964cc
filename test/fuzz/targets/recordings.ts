import { apiVersionOf, parseApiVersion } from '../../../src/machinery/meta/gvk.ts';

import type { Draw } from '../../harness/draw.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts } from '../../harness/hostile-value.ts';
import { amplified } from '../amplify.ts';
import { bytesOf, type FolderAct, type Ground, type Target } from '../case.ts';
import { plainYaml } from '../encodings.ts';
import { jsonText } from '../json-text.ts';
import { kindOf } from '../kind-of.ts';
import { reachable } from '../reachable.ts';

const changesInAFile = 30;

/** Recordings in the format of kwok and kubectl, for `kadmit snapshot replay`. */
export const recordings: Target = {
  name: 'recording',
  draw: (draw, ground) => [folder(draw, ground)],
};

function folder(draw: Draw, ground: Ground): FolderAct {
  const changes = Array.from({ length: 1 + draw.upTo(changesInAFile) }, () => change(draw, ground));
  const isJson = draw.chance(0.5);
  const text = isJson ? changes.map(jsonText).join('\n') : changes.map((one) => plainYaml(one)).join('\n---\n');
  const bytes = bytesOf(text);
  return {
    act: 'folder',
    files: { 'a.yaml': draw.chance(0.1) ? bytes.subarray(0, draw.upTo(bytes.length)) : bytes },
    command: ['snapshot', 'replay', 'a.yaml', '--speed', 'max', '--kubeconfig', '$KUBECONFIG'],
  };
}

/** Of few objects, so that changes affect each other. */
function change(draw: Draw, ground: Ground): unknown {
  const [collection, body] = draw.one(samples);
  const kind = kindOf(collection);
  const name = draw.chance(0.95) ? `o-${draw.upTo(3)}` : draw.one(oddTexts);
  const namespace = collection.includes('/namespaces/') ? { namespace: 'default' } : {};
  const metadata = { name, ...namespace, uid: `u-${draw.upTo(5)}`, resourceVersion: draw.one(['1', '-1', 'x']) };
  const object = { ...reachable(body, ground), apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const resource = { ...parseApiVersion(object.apiVersion), resource: collection.split('/').at(-1) };
  const patch = {
    apiVersion: 'action.kwok.x-k8s.io/v1alpha1',
    kind: 'ResourcePatch',
    // An invalid one ends the command.
    durationNanosecond: draw.chance(0.99) ? draw.one([0, 1, 5e9, -1, 1e30]) : 'x',
    method: draw.chance(0.99) ? draw.one(['create', 'create', 'patch', 'delete']) : 'get',
    resource,
    target: { name, ...namespace },
    template: object,
  };
  const event = {
    type: draw.chance(0.98) ? draw.one(['ADDED', 'MODIFIED', 'DELETED']) : draw.one(['BOOKMARK', 'ERROR']),
    object,
  };
  let made: unknown = draw.one([object, patch, patch, event]);
  while (draw.chance(0.05)) made = mutateValue(draw, made);
  return draw.chance(0.01) ? amplified(draw, made) : made;
}
