import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { ApiClient } from '../../client.ts';
import { resourcePath } from '../../served-resources.ts';
import { namespaceOf } from '../fields.ts';
import { isTerminatingNamespace } from '../pod-control.ts';
import { putObject, removeObject } from '../../write-object.ts';
import type { SlicePlan } from './slice-plan.ts';
import { triggerAnnotation } from './trigger-times.ts';
import type { EndpointSlice } from '../../../api/types/generated/discovery-v1.ts';

export const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };

/** Executes a plan; every written slice has the trigger time. */
export async function writeSlices(
  client: ApiClient,
  plan: SlicePlan,
  triggerTime: string | undefined,
): Promise<Result<unknown>> {
  for (const slice of plan.create) {
    const body = withTrigger(slice, triggerTime);
    const made = await client({ method: 'POST', path: resourcePath(endpointSlices, namespaceOf(slice)), body });
    if (!made.ok) return isTerminatingNamespace(made.status) ? ok(undefined) : made;
  }
  for (const slice of plan.update) {
    const written = await putObject(client, endpointSlices, withTrigger(slice, triggerTime));
    if (!written.ok) return written;
  }
  for (const slice of plan.delete) {
    const deleted = await removeObject(client, endpointSlices, slice);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

function withTrigger(slice: EndpointSlice, triggerTime: string | undefined): KubernetesObject {
  const { [triggerAnnotation]: _before, ...others } = metadataOf(slice).annotations ?? {};
  const annotations = triggerTime === undefined ? others : { ...others, [triggerAnnotation]: triggerTime };
  return withMetadata(slice, { annotations: Object.keys(annotations).length === 0 ? undefined : annotations });
}
