import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** What the log says that a request came to. */
export interface Before {
  /** How long all of it took. */
  readonly milliseconds?: number;
  /** How long it waited for webhooks: told of requests of more than 500 ms alone. */
  readonly webhookMilliseconds?: number;
  /** The object as it was answered, at level RequestResponse. */
  readonly object?: JsonObject;
}

const prefix = 'apiserver.latency.k8s.io/';

/**
 * Reads it of an audit event. Follows apiserver pkg/endpoints/filters/audit.go writeLatencyToAnnotation and
 * pkg/endpoints/request/webhook_duration.go: mutating webhooks by their sum, validating ones by the slowest; 0 is left out.
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
