import { type JsonObject, withoutUndefined } from '../../../machinery/json/json.ts';

/** Follows kubernetes pkg/apis/events/v1/conversion.go. */
export function toEventsV1(event: JsonObject): JsonObject {
  return withoutUndefined({
    metadata: event['metadata'],
    eventTime: event['eventTime'] ?? null,
    series: event['series'],
    reportingController: event['reportingComponent'] || undefined,
    reportingInstance: event['reportingInstance'] || undefined,
    action: event['action'],
    reason: event['reason'],
    regarding: event['involvedObject'],
    related: event['related'],
    note: event['message'],
    type: event['type'],
    deprecatedSource: event['source'] ?? {},
    deprecatedFirstTimestamp: event['firstTimestamp'] ?? null,
    deprecatedLastTimestamp: event['lastTimestamp'] ?? null,
    deprecatedCount: event['count'],
  });
}

export function toCoreEvent(event: JsonObject): JsonObject {
  return withoutUndefined({
    metadata: event['metadata'],
    involvedObject: event['regarding'] ?? {},
    reason: event['reason'],
    message: event['note'],
    source: event['deprecatedSource'] ?? {},
    firstTimestamp: event['deprecatedFirstTimestamp'] ?? null,
    lastTimestamp: event['deprecatedLastTimestamp'] ?? null,
    count: event['deprecatedCount'],
    type: event['type'],
    eventTime: event['eventTime'] ?? null,
    series: event['series'],
    action: event['action'],
    related: event['related'],
    reportingComponent: event['reportingController'] ?? '',
    reportingInstance: event['reportingInstance'] ?? '',
  });
}
