import { asString, valueAt, withValue } from '../../apimachinery/json.ts';
import { required } from '../../apimachinery/field-error.ts';
import { metadataOf, withMetadata } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import { conflict, invalid, notFound } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { answered, held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';
import { lostRace } from './until-stored.ts';

const pods = { group: '', resource: 'pods' };

/** A Binding sets a pod's node; the pod's webhooks are not asked. Follows kubernetes pkg/registry/core/pod/storage BindingREST. */
export const bind = (rooms: Rooms): Stage => ({
  name: 'bind',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const binding = objectOf(exchange);
    const name = target.info.name || (metadataOf(binding).name ?? '');
    const node = asString(valueAt(binding, 'target', 'name'));
    if (node === '') return refuse(invalid({ group: '', kind: 'Binding' }, name, [required('target.name', '')]));
    const key = { resource: pods, namespace: target.info.namespace, name };
    const stored = await rooms.store.read(key);
    if (!stored) return refuse(notFound(pods, name));
    const problem = unbindable(stored.object);
    if (problem !== undefined) return refuse(conflict({ group: '', resource: 'pods/binding' }, name, problem));
    if (!isDryRun(exchange.options)) {
      const bound = boundTo(stored.object, node, { binding, at: formatTime(rooms.clock.now()) });
      const written = await rooms.store.update(key, bound, stored.revision);
      if (written.outcome !== 'stored') return refuse(lostRace);
    }
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
    return ok(answered(exchange, 201, body));
  },
});

function unbindable(pod: KubernetesObject): string | undefined {
  const { name = '', deletionTimestamp } = metadataOf(pod);
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = asString(valueAt(pod, 'spec', 'nodeName'));
  return node === '' ? undefined : `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
}

interface BindingOf {
  readonly binding: KubernetesObject;
  readonly at: string;
}

/** Labels and annotations of the Binding go over to the pod. */
function boundTo(pod: KubernetesObject, node: string, { binding, at }: BindingOf): KubernetesObject {
  const { labels, annotations } = metadataOf(binding);
  const own = metadataOf(pod);
  const merged = withMetadata(pod, {
    ...(labels === undefined ? {} : { labels: { ...own.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...own.annotations, ...annotations } }),
  });
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: at };
  return withValue(withValue(merged, ['spec', 'nodeName'], node), ['status', 'conditions'], [condition]);
}
