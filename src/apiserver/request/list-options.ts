import { fieldErrorText, forbiddenField, invalidValue, notSupported } from '../../machinery/meta/field-error.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import { parseLabelSelector } from '../../machinery/selectors/label-selector.ts';
import { parseInt64, parseUint64 } from '../../machinery/go/parse-integer.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { badRequest, invalid, plainError } from '../../machinery/meta/status.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { parseFieldSelector } from './field-selector.ts';
import type { Selected } from './field-selector.ts';
import { isTrue } from './request-info.ts';

/** What the query of a list or watch asks for. */
export interface ListOptions {
  readonly selects: (object: KubernetesObject) => boolean;
  /** Does a selector hide some objects? */
  readonly filtered: boolean;
  /** How many objects it takes about a millisecond to select from. */
  readonly selectedInOneGo: number;
  readonly limit: number;
  readonly continue: string;
  /** undefined when absent. */
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Seconds; 0 when absent. */
  readonly timeoutSeconds: number;
}

/** Follows apimachinery pkg/apis/meta/internalversion/validation and apiserver pkg/endpoints/handlers/get.go. */
export function readListOptions(query: URLSearchParams, resource: Selected, isWatch: boolean): Result<ListOptions> {
  const numbers = readNumbers(query);
  if (!numbers.ok) return numbers;
  const selection = readSelection(query, resource);
  if (!selection.ok) return selection;
  const { unsupported, ...selecting } = selection.value;
  const initial = query.get('sendInitialEvents');
  const options: ListOptions = {
    ...selecting,
    ...numbers.value,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
  };
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) return refuse(invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors));
  if (unsupported !== undefined) return refuse(badRequest(unsupported));
  return checkVersion(options, isWatch);
}

interface Selection extends Pick<ListOptions, 'selects' | 'filtered' | 'selectedInOneGo'> {
  /** The complaint about a field that the resource does not select by; told after the other options were checked. */
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
    selectedInOneGo: Math.ceil(64 / (1 + (labelText.length + fieldText.length) / 1000)),
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

function listErrors(options: ListOptions): readonly FieldError[] {
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

function watchErrors(options: ListOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents, resourceVersion = '0' } = options;
  const errors: FieldError[] = [];
  // Such a watch begins with what is there, as if it had asked so. Follows internalversion/defaults.go SetListOptionsDefaults.
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

/** A revision that is no number: 400 for a list, 500 without a reason for a watch, as upstream. */
function checkVersion(options: ListOptions, isWatch: boolean): Result<ListOptions> {
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
