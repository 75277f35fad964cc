import { asList, asObject, asString, valueAt, withValue } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { goldenText } from './expect/golden-text.ts';
import { isRefused } from './expect/shown.ts';
import { isConfiguration } from './known-webhooks.ts';
import type { WorldAnswer } from './world.ts';

/** One thing in which two servers answered differently, as texts for a diff. */
export interface AnswerDifference {
  readonly what: 'code' | 'reason' | 'message' | 'warnings' | 'object';
  readonly here: string;
  readonly there: string;
}

/**
 * Where two answers to the same request differ: code, reason, message, warnings, object. What differs between any two
 * servers is made equal before: uids, times, revisions, addresses of webhooks and of Services.
 */
export function differencesOf(here: WorldAnswer, there: WorldAnswer): readonly AnswerDifference[] {
  const [a, b] = [textsOf(here), textsOf(there)];
  // An object and a Status have nothing in common.
  const compared = isRefused(here) === isRefused(there) ? names : names.filter((what) => what !== 'object');
  return compared.flatMap((what) => (a[what] === b[what] ? [] : [{ what, here: a[what], there: b[what] }]));
}

const names = ['code', 'reason', 'message', 'warnings', 'object'] as const;

type Texts = Readonly<Record<(typeof names)[number], string>>;

function textsOf({ code, body, warnings }: WorldAnswer): Texts {
  const isFailure = body['kind'] === 'Status' && code >= 400;
  return {
    code: String(code),
    reason: isFailure ? asString(body['reason']) : '',
    message: isFailure ? withoutAddresses(asString(body['message'])) : '',
    warnings: warnings.map((text) => `${withoutAddresses(text)}\n`).join(''),
    object: withoutAddresses(goldenText(isFailure ? withoutMessages(body) : withoutOwnValues(body))),
  };
}

/** A stub has another address for a server elsewhere, and so has everybody's DNS. */
const withoutAddresses = (text: string): string =>
  text
    .replace(/https:\/\/[^\s"?]+/g, 'https://<webhook>')
    .replace(/lookup \S+ on \S+:53/g, 'lookup <host> on <address>')
    .replace(/\b\d+\.\d+\.\d+\.\d+:\d+(->\d+\.\d+\.\d+\.\d+:\d+)?/g, '<address>');

/** The message stands in a line of its own; the causes of an internal error repeat it. */
function withoutMessages(status: JsonObject): JsonObject {
  const { message: _message, reason: _reason, code: _code, ...rest } = status;
  const causes = valueAt(rest, 'details', 'causes');
  if (status['reason'] !== 'InternalError' || causes === undefined) return rest;
  return withValue(rest, ['details', 'causes'], undefined);
}

/** The object without what each server chooses for itself. */
function withoutOwnValues(object: JsonObject): JsonObject {
  if (isConfiguration(object)) return withItems(object, ['webhooks'], ['clientConfig']);
  if (object['kind'] !== 'Service') return object;
  const chosen = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'].reduce(
    (rest, field) => withValue(rest, ['spec', field], undefined),
    object,
  );
  return withItems(chosen, ['spec', 'ports'], ['nodePort']);
}

/** The items of a list without these fields. */
function withItems(object: JsonObject, path: readonly string[], fields: readonly string[]): JsonObject {
  const list = valueAt(object, ...path);
  if (list === undefined) return object;
  const items = asList(list).map((item): JsonValue =>
    Object.fromEntries(Object.entries(asObject(item)).filter(([field]) => !fields.includes(field))),
  );
  return withValue(object, path, items);
}
