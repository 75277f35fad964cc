import { forbiddenField, notSupported } from '../apimachinery/field-error.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import { goQuote } from '../apimachinery/field-error.ts';
import { parseLabelSelector } from '../apimachinery/label-selector.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import { badRequest, invalid, plainError } from '../apimachinery/status.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { parseFieldSelector } from './field-selector.ts';
import { isTrue } from './request-info.ts';

/** What the query of a list or watch asks for. */
export interface ListOptions {
  readonly selects: (object: KubernetesObject) => boolean;
  /** Does a selector hide some objects? */
  readonly filtered: boolean;
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
export function readListOptions(
  query: URLSearchParams,
  resource: { readonly group: string; readonly resource: string },
  isWatch: boolean,
): Result<ListOptions> {
  const selection = readSelection(query, resource);
  if (!selection.ok) return selection;
  const numbers = readNumbers(query);
  if (!numbers.ok) return numbers;
  const initial = query.get('sendInitialEvents');
  const options: ListOptions = {
    ...selection.value,
    ...numbers.value,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
  };
  const errors = listErrors(options, isWatch);
  if (errors.length > 0) return refuse(invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors));
  return checkVersion(options, isWatch);
}

function readSelection(
  query: URLSearchParams,
  resource: { readonly group: string; readonly resource: string },
): Result<Pick<ListOptions, 'selects' | 'filtered'>> {
  const [labelText, fieldText] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const labels = parseLabelSelector(labelText);
  if (labels.outcome === 'unparsable') return refuse(badRequest(labels.error));
  const fields = parseFieldSelector(fieldText, resource);
  if (fields.outcome === 'unparsable') return refuse(badRequest(fields.error));
  return ok({
    selects: (object) => labels.selector.matches(object.metadata?.labels ?? {}) && fields.matches(object),
    filtered: labelText !== '' || fieldText !== '',
  });
}

function readNumbers(query: URLSearchParams): Result<{ readonly limit: number; readonly timeoutSeconds: number }> {
  const values = { limit: 0, timeoutSeconds: 0 };
  for (const field of ['limit', 'timeoutSeconds'] as const) {
    const text = query.get(field) ?? '';
    if (!/^[+-]?\d*$/.test(text))
      return refuse(badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`));
    values[field] = Number(text);
  }
  return ok(values);
}

function listErrors(options: ListOptions, isWatch: boolean): readonly FieldError[] {
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined) return initialEventsErrors(options, isWatch);
  if (match === '') return [];
  const errors: FieldError[] = [];
  if (isWatch)
    errors.push(
      forbiddenField(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  if (options.resourceVersion === undefined)
    errors.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    );
  if (options.continue !== '')
    errors.push(forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && options.resourceVersion === '0')
    errors.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
  return errors;
}

function initialEventsErrors(options: ListOptions, isWatch: boolean): readonly FieldError[] {
  if (!isWatch) return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  const errors: FieldError[] = [];
  if (options.resourceVersionMatch === '') {
    errors.push(
      forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  } else if (options.resourceVersionMatch !== 'NotOlderThan') {
    errors.push(notSupported('resourceVersionMatch', options.resourceVersionMatch, ['NotOlderThan']));
  }
  if (options.continue !== '') errors.push(forbiddenField('continue', 'continue is forbidden for watch'));
  return errors;
}

/** A revision that is no number: 400 for a list, 500 without a reason for a watch, as upstream. */
function checkVersion(options: ListOptions, isWatch: boolean): Result<ListOptions> {
  const { resourceVersion = '' } = options;
  if (/^\d*$/.test(resourceVersion)) return ok(options);
  const parsing = `strconv.ParseUint: parsing ${goQuote(resourceVersion)}: invalid syntax`;
  if (!isWatch) return refuse(badRequest(`invalid resource version: ${parsing}`));
  return refuse(plainError(`resourceVersion: Invalid value: ${goQuote(resourceVersion)}: ${parsing}`));
}
