import { asObject, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withField } from './with-field.ts';

/**
 * Follows kube-aggregator pkg/registry/apiservice/strategy.go. Its validation includes metadata: the name follows from
 * the spec.
 */
export const apiServiceRules: ResourceRules = {
  scope: 'Cluster',
  anyFinalizer: true,
  tellsMetadata: true,
  needsResourceVersion: true,
  emptyStatus: {},
  statusKeepsMetadata: true,
  prepareForCreate: (service, { now }) =>
    ok(isLocal(service) ? withField(service, 'status', locallyAvailable(now)) : service),
};

const isLocal = (service: JsonObject): boolean => !isJsonObject(asObject(service['spec'])['service']);

/** The status of an APIService without a service; `now` in ms since 1970. */
export const locallyAvailable = (now: number): JsonObject => ({
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
});
