import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBuiltinPlugins } from '../../../../src/apiserver/admission/plugins/builtin-plugins.ts';
import { defaultSettings } from '../../../../src/apiserver/admission/plugins/plugin-settings.ts';
import { enabledNames } from '../../../../src/apiserver/admission/plugins/plugin-order.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { parseApiVersion } from '../../../../src/machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const { applyDefaults, inFieldOrder } = recordedRelease.codec;

interface Vector {
  readonly case: string;
  readonly sent: KubernetesObject;
  readonly atMutatingWebhook?: KubernetesObject;
}
const { cases }: { readonly cases: readonly Vector[] } = JSON.parse(
  readFileSync('test/facts/vectors/defaulting.json', 'utf8'),
);

const resources: ReadonlyMap<string, string> = new Map([
  ['Pod', 'pods'],
  ['PersistentVolumeClaim', 'persistentvolumeclaims'],
  ['PersistentVolume', 'persistentvolumes'],
  ['VolumeAttributesClass', 'volumeattributesclasses'],
  ['Node', 'nodes'],
]);
const cluster = clusterOf({
  namespaces: [object('v1', 'Namespace', 'NS')],
  serviceaccounts: [withMetadata(object('v1', 'ServiceAccount', 'default'), { namespace: 'NS' })],
});

// Source: test/facts/vectors/defaulting.json; resources on which no plugin acts are the matter of test/api/codec/defaults.
const vectors = cases.filter(({ sent, atMutatingWebhook }) => resources.has(sent.kind) && atMutatingWebhook);
test.each(vectors.map((vector) => [vector.case, vector] as const))(
  '%s reaches a mutating webhook with what the compiled-in plugins add, in this order',
  async (_name, { sent, atMutatingWebhook }) => {
    const namespace = atMutatingWebhook?.metadata?.namespace;
    const received = withMetadata(decoded(sent), {
      namespace,
      selfLink: undefined,
      uid: undefined,
      resourceVersion: undefined,
      creationTimestamp: undefined,
      deletionTimestamp: undefined,
    });
    const request = creating(applyDefaults(received), resources.get(sent.kind) ?? '', { namespace: namespace ?? '' });
    const text = JSON.stringify(await admitted(request), null, 1).replaceAll(
      'kube-api-access-bbbbb',
      'kube-api-access-<rand5>',
    );
    expect(text).toBe(JSON.stringify(atMutatingWebhook, null, 1));
  },
);

const builtins = createBuiltinPlugins(defaultSettings);

async function admitted(request: AdmissionAttributes): Promise<KubernetesObject | null> {
  let current = request;
  for (const name of enabledNames({ enable: [], disable: [] })) {
    const plugin = builtins.get(name);
    const answer = plugin?.operations.includes('CREATE') ? await plugin.mutate?.(current, portsOf(cluster)) : undefined;
    if (answer?.ok === false) throw new Error(answer.status.message);
    const object = answer?.value.object;
    if (object) current = { ...current, object: inFieldOrder(object, current.object ?? undefined) };
  }
  return current.object;
}

function decoded(sent: KubernetesObject): KubernetesObject {
  const reading = recordedRelease.codec.decodeValue(sent, { ...parseApiVersion(sent.apiVersion), kind: sent.kind });
  if (reading.outcome !== 'decoded') throw new Error(reading.error);
  return withMetadata(reading.object, metadataOf(reading.object));
}
