import { valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { toCoreEvent } from '../../../api/codec/convert/event.ts';
import { elapsed, millisecondsOf, nameOf, numberAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';

/** Both API groups. Follows kubernetes pkg/printers/internalversion/printers.go printEvent. */
export const eventCells: Cells = (object, now) => {
  const event = object['apiVersion'] === 'events.k8s.io/v1' ? toCoreEvent(object) : object;
  const { first, last } = seen(event, now);
  return [
    last,
    textAt(event, 'type'),
    textAt(event, 'reason'),
    involved(event),
    textAt(event, 'involvedObject', 'fieldPath'),
    sourceOf(event),
    textAt(event, 'message').trim(),
    first,
    numberAt(event, 'series', 'count') || numberAt(event, 'count') || 1,
    nameOf(event),
  ];
};

function seen(event: JsonObject, now: number): { readonly first: string; readonly last: string } {
  const at = (...path: readonly string[]): string | undefined => {
    const time = valueAt(event, ...path);
    return millisecondsOf(time) === undefined ? undefined : elapsed(time, now);
  };
  const first = at('firstTimestamp') ?? at('eventTime') ?? '<unknown>';
  const series = valueAt(event, 'series');
  if (series !== undefined && series !== null) return { first, last: at('series', 'lastObservedTime') ?? '<unknown>' };
  return { first, last: at('lastTimestamp') ?? first };
}

function involved(event: JsonObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = textAt(event, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceOf(event: JsonObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}
