import { maskTrace } from '../../explain/trace/mask.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { bigintAsNumber } from '../../machinery/json/json-writer.ts';
import { type RecordedCall, wasSent } from './pick-call.ts';
import { escapeRegExp } from '../../machinery/go/strings.ts';

export interface RecordedReviews {
  /** Texts by path: a folder for each webhook, and in it the reviews with their expected responses. */
  readonly files: ReadonlyMap<string, string>;
  readonly reviews: number;
  readonly webhooks: number;
}

/**
 * The AdmissionReviews of these traces, oldest first, as `kadmit test FOLDER --call` reads them. A response that the API
 * server accepted is expected again. Values of Secrets are masked unless `reveal` is set.
 */
export function recordedReviews(traces: readonly Trace[], reveal: boolean): RecordedReviews {
  const files = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const trace of traces) {
    for (const call of (reveal ? trace : maskTrace(trace)).admission.filter(wasSent)) {
      const folder = [call.phase, call.configuration, call.name].map(fileName).join('/');
      const count = (counts.get(folder) ?? 0) + 1;
      counts.set(folder, count);
      const stem = `${folder}/${String(count).padStart(3, '0')}-${reviewFileStem(call)}`;
      files.set(`${stem}.json`, toJsonText(call.review));
      const expected = expectedResponse(call);
      if (expected) files.set(`${stem}.expected.json`, toJsonText(expected));
    }
  }
  const reviews = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { files, reviews, webhooks: counts.size };
}

const toJsonText = (value: JsonObject): string => `${JSON.stringify(value, bigintAsNumber, 2)}\n`;

/** `create-pods-shop-web`. */
function reviewFileStem({ review }: RecordedCall): string {
  const { operation, resource, subResource, namespace, name } = asObject(review['request']);
  const parts = [operation, asObject(resource)['resource'], subResource, namespace, name].map(asString);
  return fileName(parts.filter((part) => part !== '').join('-')).toLowerCase();
}

const maxNameLength = 100;

/** Only characters that every file system has, and never a parent folder. */
const fileName = (text: string): string =>
  text
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^\.+/, '-')
    .slice(0, maxNameLength);

/** undefined for a response that was not accepted. The uid is that of the request. */
function expectedResponse({ outcome, phase, answer, patch = [] }: TracedWebhook): JsonObject | undefined {
  if (outcome !== 'called' && outcome !== 'denied') return undefined;
  const { allowed, status, warnings, auditAnnotations } = asObject(asObject(answer)['response']);
  if (typeof allowed !== 'boolean') return undefined;
  const { code, reason, message } = asObject(status);
  const annotations = Object.entries(asObject(auditAnnotations));
  return {
    allowed,
    ...(allowed ? {} : { status: textFields({ code, reason, message }) }),
    ...(allowed && phase === 'mutating' ? { patch } : {}),
    ...(asList(warnings).length > 0 ? { warnings: asList(warnings).map(exactText) } : {}),
    ...(annotations.length > 0 ? { auditAnnotations: textFields(Object.fromEntries(annotations)) } : {}),
  };
}

const textFields = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, exactText(value)]])),
  );

/** Expectations read a text between slashes as a pattern. */
const exactText = (value: JsonValue): JsonValue =>
  typeof value === 'string' && value.startsWith('/') ? { matches: `^${escapeRegExp(value)}$` } : value;
