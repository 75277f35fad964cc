import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { toCoreEvent } from '../../../api/codec/convert/event.ts';
import {
  ageOf,
  booleanAt,
  type Cells,
  cells,
  conditionStatus,
  elapsed,
  millisecondsOf,
  nameAndAge,
  nameOf,
  numberAt,
  objectsAt,
  type Printers,
  scalarAt,
  sizeCell,
  sizeAt,
  textCell,
  textAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

/** For kinds without a printer. Follows apiserver pkg/registry/rest/table.go. */
export const nameAndCreation: Cells = (object) => {
  const created = millisecondsOf(valueAt(object, 'metadata', 'creationTimestamp'));
  return [nameOf(object), created === undefined ? '0001-01-01T00:00:00Z' : formatTime(created)];
};

function nodeStatus(node: JsonObject): string {
  const ready = conditionStatus(node, 'Ready');
  const known = ready === 'True' ? 'Ready' : 'NotReady';
  const word = ready === undefined ? 'Unknown' : known;
  return booleanAt(node, ['spec', 'unschedulable']) ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(node: JsonObject): readonly string[] {
  const roles = Object.entries(asObject(valueAt(node, 'metadata', 'labels'))).map(([label, value]) => {
    if (label.startsWith(rolePrefix)) return label.slice(rolePrefix.length);
    return label === 'kubernetes.io/role' ? asString(value) : '';
  });
  return [...new Set(roles.filter((role) => role !== ''))].toSorted();
}

const nodeAddress = (node: JsonObject, type: string): string => {
  const found = objectsAt(node, 'status', 'addresses').find((address) => address['type'] === type);
  return found ? asString(found['address']) : '<none>';
};

/** `pods: 1/4, requests.cpu: 0/2`: used and hard. */
function quotaText(quota: JsonObject, limits: boolean): string {
  return Object.keys(asObject(valueAt(quota, 'status', 'hard')))
    .filter((resource) => resource.startsWith('limits.') === limits)
    .toSorted()
    .map((resource) => {
      const of = (field: string): string => scalarAt(quota, ['status', field, resource], '0');
      return `${resource}: ${of('used')}/${of('hard')}`;
    })
    .join(', ');
}

const componentStatusCells: Cells = (object) => {
  const healthy = objectsAt(object, 'conditions').find(({ type }) => type === 'Healthy');
  if (healthy === undefined) return [nameOf(object), 'Unknown', '', ''];
  const status = healthy['status'] === 'True' ? 'Healthy' : 'Unhealthy';
  return [nameOf(object), status, textAt(healthy, 'message'), textAt(healthy, 'error')];
};

/** Both API groups. Follows kubernetes pkg/printers/internalversion/printers.go printEvent. */
const eventCells: Cells = (object, now) => {
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

export const corePrinters: Printers = {
  '/ComponentStatus': componentStatusCells,
  '/ConfigMap': cells(nameOf, (object) => sizeAt(object, 'data') + sizeAt(object, 'binaryData'), ageOf),
  '/Event': eventCells,
  'events.k8s.io/Event': eventCells,
  '/Namespace': cells(nameOf, textCell('status.phase'), ageOf),
  '/Node': cells(
    nameOf,
    nodeStatus,
    (node) => nodeRoles(node).join(',') || '<none>',
    ageOf,
    textCell('status.nodeInfo.kubeletVersion'),
    (node) => nodeAddress(node, 'InternalIP'),
    (node) => nodeAddress(node, 'ExternalIP'),
    textCell('status.nodeInfo.osImage', '<unknown>'),
    textCell('status.nodeInfo.kernelVersion', '<unknown>'),
    textCell('status.nodeInfo.containerRuntimeVersion', '<unknown>'),
  ),
  '/ResourceQuota': cells(
    nameOf,
    (quota) => quotaText(quota, false),
    (quota) => quotaText(quota, true),
    ageOf,
  ),
  '/Secret': cells(nameOf, textCell('type'), sizeCell('data'), ageOf),
  '/ServiceAccount': nameAndAge,
};
