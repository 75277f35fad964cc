import { valueAt } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { hasEntries } from './map-entries.ts';
import { always, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/** The labels of a pod template, if it has any. */
export function templateLabels(template: JsonValue | undefined): JsonObject | undefined {
  const labels = valueAt(template, 'metadata', 'labels');
  return hasEntries(labels) ? labels : undefined;
}

/** An object without labels takes those of `spec.template`. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_ReplicationController. */
export const labelledFromTemplate = structDefaults({
  metadata: (value, { spec }) => {
    const labels = templateLabels(valueAt(spec, 'template'));
    return labels === undefined ? value : always(labelled(labels))(value, {});
  },
});

const labelled = (labels: JsonObject): Defaulter =>
  structDefaults({ labels: (value) => (hasEntries(value) ? value : labels) });
