import { parseInt64, parseUint64 } from '../../machinery/go/strconv.ts';
import { asList, asObject, asString, type JsonValue, valueAt } from '../../machinery/json/json.ts';
import {
  type FieldError,
  fieldErrorText,
  forbiddenField,
  goQuote,
  invalidValue,
  notSupported,
} from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { badRequest, invalid, plainError } from '../../machinery/meta/status.ts';
import { parseLabelSelector } from '../../machinery/selectors/label-selector.ts';
import { isTrueParameter } from './request-info.ts';

export interface DecodedListOptions {
  readonly selects: (object: KubernetesObject) => boolean;
  readonly filtered: boolean;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Seconds; 0 when absent. */
  readonly timeoutSeconds: number;
}

/** Follows apimachinery pkg/apis/meta/internalversion/validation and apiserver pkg/endpoints/handlers/get.go. */
export function readListOptions(
  query: URLSearchParams,
  resource: Selected,
  isWatch: boolean,
): Result<DecodedListOptions> {
  const numbers = readNumbers(query);
  if (!numbers.ok) return numbers;
  const selection = readSelection(query, resource);
  if (!selection.ok) return selection;
  const { unsupported, ...selecting } = selection.value;
  const initial = query.get('sendInitialEvents');
  const options: DecodedListOptions = {
    ...selecting,
    ...numbers.value,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: isTrueParameter(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrueParameter(initial),
  };
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) return refuse(invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors));
  if (unsupported !== undefined) return refuse(badRequest(unsupported));
  return checkVersion(options, isWatch);
}

interface Selection extends Pick<DecodedListOptions, 'selects' | 'filtered'> {
  /** The error about an unsupported field, reported after other options. */
  readonly unsupported: string | undefined;
}

function readSelection(query: URLSearchParams, resource: Selected): Result<Selection> {
  const [labelText, fieldText] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const labels = parseLabelSelector(labelText);
  if (labels.outcome === 'unparsable') return refuse(badRequest(labels.error));
  const fields = parseFieldSelector(fieldText, resource);
  if (fields.outcome === 'unparsable') return refuse(badRequest(fields.error));
  return ok({
    unsupported: fields.unsupported,
    selects: (object) => labels.selector.matches(object.metadata?.labels ?? {}) && fields.matches(object),
    filtered: labelText !== '' || fieldText !== '',
  });
}

function readNumbers(query: URLSearchParams): Result<{ readonly limit: number; readonly timeoutSeconds: number }> {
  const values = { timeoutSeconds: 0, limit: 0 };
  for (const field of ['timeoutSeconds', 'limit'] as const) {
    const text = query.get(field);
    if (text === null) continue;
    const read = parseInt64(text);
    if (read.outcome === 'unparsable') return refuse(badRequest(read.error));
    values[field] = read.value;
  }
  return ok(values);
}

const matchField = 'resourceVersionMatch';

function listErrors(options: DecodedListOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === undefined) errors.push(forbiddenField(matchField, matchNeedsVersion));
    if (options.continue !== '') errors.push(forbiddenField(matchField, matchWithContinue));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0') errors.push(forbiddenField(matchField, exactZero));
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(options: DecodedListOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents, resourceVersion = '0' } = options;
  const errors: FieldError[] = [];
  // Such a watch starts with existing objects. Follows internalversion/defaults.go SetListOptionsDefaults.
  const isLegacy = match === '' && sendInitialEvents === undefined && resourceVersion === '0';
  if (isLegacy && options.continue !== '') return [forbiddenField(matchField, matchWithContinue)];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(forbiddenField(matchField, initialEventsNeedMatch));
  if (match === '') return errors;
  if (sendInitialEvents === undefined) errors.push(forbiddenField(matchField, matchNeedsInitialEvents));
  if (match !== 'NotOlderThan') errors.push(notSupported(matchField, match, ['NotOlderThan']));
  if (options.continue !== '') errors.push(forbiddenField(matchField, matchWithContinue));
  return errors;
}

const matchNeedsVersion = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
const matchWithContinue = 'resourceVersionMatch is forbidden when continue is provided';
const exactZero = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
const initialEventsNeedMatch = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
const matchNeedsInitialEvents = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';

/** A malformed revision: 400 for a list, 500 without a reason for a watch. */
function checkVersion(options: DecodedListOptions, isWatch: boolean): Result<DecodedListOptions> {
  const { resourceVersion = '' } = options;
  if (resourceVersion === '') return ok(options);
  if (!isWatch && options.continue !== '' && resourceVersion !== '0') {
    return refuse(badRequest('specifying resource version is not allowed when using continue'));
  }
  const read = parseUint64(resourceVersion);
  if (read.outcome === 'parsed') return ok(options);
  const text = fieldErrorText(invalidValue('resourceVersion', resourceVersion, read.error));
  return refuse(isWatch ? plainError(text) : badRequest(`invalid resource version: ${text}`));
}

type FieldSelector =
  | {
      readonly outcome: 'parsed';
      readonly matches: (object: KubernetesObject) => boolean;
      readonly unsupported: string | undefined;
    }
  | { readonly outcome: 'unparsable'; readonly error: string };

/** Beyond metadata.name and metadata.namespace. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
  events: [...eventFields('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
  'events.events.k8s.io': [...eventFields('regarding'), 'reason', 'reportingController', 'type'],
};

function eventFields(object: string): readonly string[] {
  return ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (field) => `${object}.${field}`,
  );
}

/** Resources without own selectable fields have another error text. */
const metadataFields = ['metadata.name', 'metadata.namespace'];

interface Selected {
  readonly group: string;
  readonly resource: string;
  readonly selectableFields?: readonly string[];
  readonly namespaced?: boolean;
}

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** `a=b,c!=d` as a predicate. Follows apimachinery pkg/fields/selector.go. */
export function parseFieldSelector(
  text: string,
  { group, resource, selectableFields, namespaced = true }: Selected,
): FieldSelector {
  const known = selectableFields ?? selectable[group === '' ? resource : `${resource}.${group}`];
  const common = namespaced || !selectableFields ? metadataFields : metadataFields.slice(0, 1);
  const terms: Term[] = [];
  for (const part of splitTerms(text)) {
    const term = readTerm(part);
    if (!term) {
      return { outcome: 'unparsable', error: `invalid selector: '${text}'; can't understand '${part}'` };
    }
    if ('error' in term) return { outcome: 'unparsable', error: `invalid field selector: ${term.error}` };
    terms.push(term);
  }
  const unsupportedTerm = terms.find(({ field }) => !common.includes(field) && !known?.includes(field));
  return {
    outcome: 'parsed',
    unsupported: unsupportedTerm && unknownField(unsupportedTerm.field, known !== undefined),
    matches: (object) => terms.every(({ field, equal, value }) => (fieldText(object, field) === value) === equal),
  };
}

const unknownField = (field: string, hasOwnList: boolean): string =>
  hasOwnList
    ? `field label not supported: ${field}`
    : `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

/** Split at commas; a backslash escapes. */
const splitTerms = (text: string): readonly string[] => [...(text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [])].sort();

function readTerm(part: string): Term | { readonly error: string } | undefined {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (!match) return undefined;
  const [, field = '', operator = '', text = ''] = match;
  const value = unescapeValue(text);
  return typeof value === 'string' ? { field, equal: operator !== '!=', value } : value;
}

/** Backslash, comma and equals sign are escaped. Follows selector.go UnescapeValue. */
function unescapeValue(text: string): string | { readonly error: string } {
  for (const [part] of text.matchAll(/\\(?:.|$)|[,=]/gsu)) {
    const [first = '', second = ''] = part;
    if (first !== '\\') return { error: `unescaped character in value: ${first.codePointAt(0)}` };
    if (second === '' || !'\\,='.includes(second)) return { error: `invalid escape sequence: ${part}` };
  }
  return text.replaceAll(/\\([\\,=])/g, '$1');
}

/** '' when unset. */
function fieldText(object: KubernetesObject, field: string): string {
  switch (field) {
    case 'status.podIPs':
      return asList(valueAt(object, 'status', 'podIPs'))
        .map((entry) => asString(asObject(entry)['ip']))
        .join(',');
    case 'source':
      return asString(valueAt(object, 'source', 'component')) || asString(valueAt(object, 'reportingComponent'));
    case 'spec.hostNetwork':
    case 'spec.unschedulable':
      return printFieldValue(valueAt(object, ...field.split('.')) ?? false);
    case 'status.successful':
      return printFieldValue(valueAt(object, 'status', 'succeeded') ?? 0);
    default:
      return printFieldValue(valueAt(object, ...field.split('.')));
  }
}

const printFieldValue = (value: JsonValue | undefined): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);
