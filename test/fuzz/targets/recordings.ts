import { apiVersionOf, parseApiVersion } from '../../../src/machinery/meta/gvk.ts';

import type { RandomChoices } from '../../harness/random-choices.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts } from '../../harness/hostile-value.ts';
import { amplify } from '../amplify.ts';
import { bytesOf, type FolderAct, type TargetEnvironment, type Target } from '../case.ts';
import { plainYaml } from '../encodings.ts';
import { jsonText } from '../json-text.ts';
import { kindOf } from '../kind-of-collection.ts';
import { withFuzzWebhook } from '../fuzz-webhook-address.ts';

const changesInAFile = 30;

/** Recordings in the format of kwok and kubectl, for `kadmit snapshot replay`. */
export const recordings: Target = {
  name: 'recording',
  generate: (random, ground) => [folder(random, ground)],
};

function folder(random: RandomChoices, ground: TargetEnvironment): FolderAct {
  const changes = Array.from({ length: 1 + random.upTo(changesInAFile) }, () => change(random, ground));
  const isJson = random.chance(0.5);
  const text = isJson ? changes.map(jsonText).join('\n') : changes.map((one) => plainYaml(one)).join('\n---\n');
  const bytes = bytesOf(text);
  return {
    act: 'folder',
    files: { 'a.yaml': random.chance(0.1) ? bytes.subarray(0, random.upTo(bytes.length)) : bytes },
    command: ['snapshot', 'replay', 'a.yaml', '--speed', 'max', '--kubeconfig', '$KUBECONFIG'],
  };
}

/** Of few objects, so that changes affect each other. */
function change(random: RandomChoices, ground: TargetEnvironment): unknown {
  const [collection, body] = random.pick(samples);
  const kind = kindOf(collection);
  const name = random.chance(0.95) ? `o-${random.upTo(3)}` : random.pick(oddTexts);
  const namespace = collection.includes('/namespaces/') ? { namespace: 'default' } : {};
  const metadata = { name, ...namespace, uid: `u-${random.upTo(5)}`, resourceVersion: random.pick(['1', '-1', 'x']) };
  const object = { ...withFuzzWebhook(body, ground), apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const resource = { ...parseApiVersion(object.apiVersion), resource: collection.split('/').at(-1) };
  const patch = {
    apiVersion: 'action.kwok.x-k8s.io/v1alpha1',
    kind: 'ResourcePatch',
    // An invalid one ends the command.
    durationNanosecond: random.chance(0.99) ? random.pick([0, 1, 5e9, -1, 1e30]) : 'x',
    method: random.chance(0.99) ? random.pick(['create', 'create', 'patch', 'delete']) : 'get',
    resource,
    target: { name, ...namespace },
    template: object,
  };
  const event = {
    type: random.chance(0.98) ? random.pick(['ADDED', 'MODIFIED', 'DELETED']) : random.pick(['BOOKMARK', 'ERROR']),
    object,
  };
  let made: unknown = random.pick([object, patch, patch, event]);
  while (random.chance(0.05)) made = mutateValue(random, made);
  return random.chance(0.01) ? amplify(random, made) : made;
}
