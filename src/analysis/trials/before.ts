import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** The logged outcome of a request. */
export interface Before {
  readonly milliseconds?: number;
  /** Logged only for requests above 500 ms. */
  readonly webhookMilliseconds?: number;
  /** The response object, at level RequestResponse. */
  readonly object?: JsonObject;
}

const prefix = 'apiserver.latency.k8s.io/';

/**
 * From an audit event. Follows apiserver pkg/endpoints/filters/audit.go writeLatencyToAnnotation and
 * pkg/endpoints/request/webhook_duration.go: mutating webhooks by their sum, validating ones by the slowest; 0 is
 * omitted.
 */
export function beforeOf({
  requestReceivedTimestamp,
  stageTimestamp,
  annotations,
  responseObject,
}: JsonObject): Before {
  const took = Date.parse(asString(stageTimestamp)) - Date.parse(asString(requestReceivedTimestamp));
  const told = asObject(annotations);
  const milliseconds = (name: string): number => readGoDuration(asString(told[`${prefix}${name}`])) ?? 0;
  const isBroken = Object.keys(told).some((name) => name.startsWith(prefix));
  return {
    ...(took >= 0 ? { milliseconds: took } : {}),
    ...(isBroken ? { webhookMilliseconds: milliseconds('mutating-webhook') + milliseconds('validating-webhook') } : {}),
    ...(isJsonObject(responseObject) && responseObject['kind'] !== 'Status' ? { object: responseObject } : {}),
  };
}
