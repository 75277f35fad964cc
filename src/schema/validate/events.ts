import { invalidValue, required } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { byteLength, dns1123Subdomain, qualifiedNameErrors } from '../../apimachinery/names.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { toCoreEvent } from '../convert/event.ts';
import { internalForm } from '../types/internal-form.ts';
import { following, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { subdomainName } from './name-rule.ts';
import { immutableText, validateObjectMeta } from './object-meta.ts';

const isNew = (event: KubernetesObject): boolean => event.apiVersion === 'events.k8s.io/v1';
const coreForm = (event: KubernetesObject): JsonObject => (isNew(event) ? toCoreEvent(event) : event);
const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== '';

/** Events of events.k8s.io/v1 are held to more. The file follows kubernetes pkg/apis/core/validation/events.go. */
export function validateEvent(event: KubernetesObject): Complaints {
  const core = coreForm(event);
  const legacy = legacyErrors(event, core);
  if (!isNew(event)) return legacy;
  const type = asString(core['type']);
  const { component, host } = asObject(core['source']);
  const unset = (field: string, value: JsonValue | undefined): Complaints =>
    when(isSet(value) && value !== 0, () => invalidValue(field, '', 'needs to be unset'));
  return [
    ...legacy,
    ...validateObjectMeta(metadataOf(event), true, subdomainName),
    ...seriesErrors(core),
    ...when(!isSet(core['eventTime']), () => required('eventTime', '')),
    ...when(type !== 'Normal' && type !== 'Warning', () => invalidValue('type', '', `has invalid value: ${type}`)),
    ...unset('firstTimestamp', core['firstTimestamp']),
    ...unset('lastTimestamp', core['lastTimestamp']),
    ...unset('count', core['count']),
    ...unset('source', asString(component) || asString(host)),
  ];
}

/** What must be true of every event. */
function legacyErrors(event: KubernetesObject, core: JsonObject): Complaints {
  const namespace = metadataOf(event).namespace ?? '';
  const about = asString(asObject(core['involvedObject'])['namespace']);
  const elsewhere = invalidValue('involvedObject.namespace', about, 'does not match event.namespace');
  const named = following(dns1123Subdomain, 'namespace', namespace);
  if (!isSet(core['eventTime'])) {
    const fits = about === '' ? ['', 'default'].includes(namespace) : about === namespace;
    return [...when(!fits, () => elsewhere), ...named];
  }
  return [
    ...when(about === '' && !['default', 'kube-system'].includes(namespace), () => elsewhere),
    ...reporterErrors(isNew(event) ? 'reportingController' : 'reportingComponent', core),
    ...textErrors('action', core['action'], 128),
    ...textErrors('reason', core['reason'], 128),
    ...textErrors('message', core['message'] ?? ' ', 1024),
    ...named,
  ];
}

function reporterErrors(field: string, { reportingComponent, reportingInstance }: JsonObject): Complaints {
  const reporter = asString(reportingComponent);
  return [
    ...when(reporter === '', () => required(field, '')),
    ...following(qualifiedNameErrors, field, reporter),
    ...textErrors('reportingInstance', reportingInstance, 128),
  ];
}

function textErrors(field: string, value: JsonValue | undefined, most: number): Complaints {
  const text = asString(value);
  return [
    ...when(text === '' && field !== 'message', () => required(field, '')),
    ...when(byteLength(text) > most, () => invalidValue(field, '', `can have at most ${most} characters`)),
  ];
}

function seriesErrors({ series }: JsonObject): Complaints {
  if (series === undefined) return [];
  const { count, lastObservedTime } = asObject(series);
  return [
    ...when(Number(count ?? 0) < 2, () => invalidValue('series.count', '', 'should be at least 2')),
    ...when(!isSet(lastObservedTime), () => required('series.lastObservedTime', '')),
  ];
}

/** Internal types of the fields that may not change, in upstream's order; it asks for the reason twice. */
const fixedFields: readonly (readonly [field: string, type: string, printedAs?: string])[] = [
  ['involvedObject', 'core.ObjectReference'],
  ['reason', 'string'],
  ['message', 'string'],
  ['source', 'core.EventSource'],
  ['firstTimestamp', 'time'],
  ['lastTimestamp', 'time'],
  ['count', 'int'],
  ['reason', 'string'],
  ['type', 'string'],
  ['eventTime', 'time'],
  ['action', 'string'],
  ['related', '*core.ObjectReference'],
  ['reportingComponent', 'string', 'reportingController'],
  ['reportingInstance', 'string'],
];

/** An event of events.k8s.io/v1 changes in its series alone. */
export function validateEventUpdate(event: KubernetesObject, old: KubernetesObject): Complaints {
  const [core, before] = [coreForm(event), coreForm(old)];
  const legacy = legacyErrors(event, core);
  if (!isNew(event)) return legacy;
  return [
    ...legacy,
    ...(sameJson(core['series'], before['series']) ? [] : seriesErrors(core)),
    ...fixedFields.flatMap(([field, type, name = field]) => {
      const [is, was] = [core, before].map((one) => internalForm(type, one[field]));
      return when(!sameJson(is, was), () => invalidValue(name, is ?? null, immutableText));
    }),
  ];
}
