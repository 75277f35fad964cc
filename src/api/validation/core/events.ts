import { validateText, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { byteLength, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { Event } from '../../types/generated/core-v1.ts';
import {
  subdomainName,
  validateImmutableField,
  validateCoreObjectMeta,
  validateCoreObjectMetaUpdate,
} from '../meta/object-meta.ts';

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== '';

/** Core/v1 events. The file follows kubernetes pkg/apis/core/validation/events.go. */
export const validateCoreEvent = (event: Event): FieldErrors => legacyValidateEvent(event, 'reportingComponent');

/** Events.k8s.io/v1 events, in their stored form of core/v1. */
export function validateEventCreate(core: Event): FieldErrors {
  const type = asString(core.type);
  const { component, host } = asObject(core.source);
  const unset = (field: string, value: JsonValue | undefined): FieldErrors =>
    errorIf(isSet(value) && value !== 0, () => invalidValue(field, '', 'needs to be unset'));
  return [
    ...legacyValidateEvent(core, 'reportingController'),
    ...validateCoreObjectMeta(metadataOf(core), true, subdomainName),
    ...validateEventSeries(core),
    ...errorIf(!isSet(core.eventTime), () => required('eventTime', '')),
    ...errorIf(type !== 'Normal' && type !== 'Warning', () => invalidValue('type', '', `has invalid value: ${type}`)),
    ...unset('firstTimestamp', core.firstTimestamp),
    ...unset('lastTimestamp', core.lastTimestamp),
    ...unset('count', core.count),
    ...unset('source', asString(component) || asString(host)),
  ];
}

function legacyValidateEvent(core: Event, reporter: string): FieldErrors {
  const namespace = metadataOf(core).namespace ?? '';
  const about = asString(asObject(core.involvedObject).namespace);
  const elsewhere = invalidValue('involvedObject.namespace', about, 'does not match event.namespace');
  const named = validateText(dns1123Subdomain, 'namespace', namespace);
  if (!isSet(core.eventTime)) {
    const fits = about === '' ? ['', 'default'].includes(namespace) : about === namespace;
    return [...errorIf(!fits, () => elsewhere), ...named];
  }
  return [
    ...errorIf(about === '' && !['default', 'kube-system'].includes(namespace), () => elsewhere),
    ...validateReporter(reporter, core),
    ...validateEventText('action', core.action, 128),
    ...validateEventText('reason', core.reason, 128),
    ...validateEventText('message', core.message ?? ' ', 1024),
    ...named,
  ];
}

function validateReporter(field: string, { reportingComponent, reportingInstance }: Event): FieldErrors {
  const reporter = asString(reportingComponent);
  return [
    ...errorIf(reporter === '', () => required(field, '')),
    ...validateText(qualifiedNameErrors, field, reporter),
    ...validateEventText('reportingInstance', reportingInstance, 128),
  ];
}

function validateEventText(field: string, value: JsonValue | undefined, max: number): FieldErrors {
  const text = asString(value);
  return [
    ...errorIf(text === '' && field !== 'message', () => required(field, '')),
    ...errorIf(byteLength(text) > max, () => invalidValue(field, '', `can have at most ${max} characters`)),
  ];
}

function validateEventSeries({ series }: Event): FieldErrors {
  if (series === undefined) return [];
  const { count, lastObservedTime } = asObject(series);
  return [
    ...errorIf(Number(count ?? 0) < 2, () => invalidValue('series.count', '', 'should be at least 2')),
    ...errorIf(!isSet(lastObservedTime), () => required('series.lastObservedTime', '')),
  ];
}

/** Go types of immutable fields in upstream's order, which has the reason twice. */
const immutableFields: readonly (readonly [field: keyof Event, type: string, printedAs?: string])[] = [
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

/** Only the series may change. */
export function validateEventUpdate(core: Event, before: Event): FieldErrors {
  return [
    ...legacyValidateEvent(core, 'reportingController'),
    ...validateCoreObjectMetaUpdate(metadataOf(core), metadataOf(before)),
    ...(sameJson(core.series, before.series) ? [] : validateEventSeries(core)),
    ...immutableFields.flatMap(([field, type, name = field]) => {
      const [is, was] = [core, before].map((item) => toInternalForm(type, item[field]));
      return validateImmutableField(name, is, was);
    }),
  ];
}
