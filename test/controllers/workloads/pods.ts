import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/machinery/meta/object.ts';

/** A Pod as controllers see it; ready since long ago unless its status says otherwise. */
export const pod = (name: string, metadata: ObjectMeta = {}, status: JsonObject = ready): KubernetesObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  spec: {},
  status,
});

export const ready: JsonObject = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
};

export const pending: JsonObject = { phase: 'Pending' };

export const going: ObjectMeta = { deletionTimestamp: '2026-01-01T00:00:00Z' };

export const now = Date.UTC(2026, 0, 2);
