import { asList, asObject, asString, isJsonObject, isList } from '../apimachinery/json.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { blameOf, writerText } from '../trace/field-blame.ts';
import type { FieldBlame } from '../trace/field-blame.ts';
import { keyOf, keyValue, pathText } from '../trace/field-path.ts';
import type { FieldPath, PathStep } from '../trace/field-path.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Of a request that the server refused for its fields: which of them a webhook wrote last, and which webhook: the
 * object is invalid, and nobody wrote it like that. Undefined when no webhook did.
 */
export function refusedFieldHint(trace: Trace): string | undefined {
  const paths = refusedFields(trace).map((field) => pathText(pathOf(field, trace.objectAfter ?? undefined)));
  if (paths.length === 0) return undefined;
  const byWebhooks = blameOf(trace).filter(({ by }) => by.type === 'webhook');
  const written = byWebhooks.filter(({ path }) => paths.some(isWithin(path)));
  const [first] = written;
  if (first === undefined) return itemHint(paths, byWebhooks);
  const others = new Set(written.filter(({ path }) => path !== first.path).map(({ path }) => path)).size;
  const more = others === 0 ? '' : `, and ${others} more of the refused fields came from webhooks`;
  return `${first.path} was ${first.value === undefined ? 'removed' : 'set'} by ${writerText(first.by)}${more}`;
}

/** Nobody wrote a field that is missing; but somebody the item of a list that lacks it. */
function itemHint(paths: readonly string[], byWebhooks: readonly FieldBlame[]): string | undefined {
  for (const path of paths) {
    const item = path.slice(0, path.lastIndexOf('.'));
    const written = item.endsWith(']') ? byWebhooks.find((one) => isWithin(one.path)(item)) : undefined;
    if (written) return `${item} was set by ${writerText(written.by)}`;
  }
  return undefined;
}

const refusedFields = ({ response }: Trace): readonly string[] => {
  const causes = asList(asObject(response.status?.['details'])['causes']).map(asObject);
  return [...new Set(causes.map(({ field }) => asString(field)).filter((field) => field !== ''))];
};

/** A field is what it holds too; of one that is missing, what was taken from it. */
const isWithin =
  (path: string) =>
  (refused: string): boolean =>
    path === refused || path.startsWith(`${refused}.`) || path.startsWith(`${refused}[`);

/** `spec.containers[0].image` with items by their keys, as blame names them: `spec.containers[name=web].image`. */
function pathOf(field: string, object: JsonValue | undefined): FieldPath {
  const path: PathStep[] = [];
  let at = object;
  for (const [, name, bracketed] of field.matchAll(/\.?([^.[\]]+)|\[([^\]]*)\]/g)) {
    const text = name ?? bracketed ?? '';
    path.push(stepOf(text, at));
    at = isList(at) ? at[Number(text)] : isJsonObject(at) ? at[text] : undefined;
  }
  return path;
}

function stepOf(text: string, at: JsonValue | undefined): PathStep {
  if (!isList(at)) return text;
  const key = keyOf([at]);
  const item = at[Number(text)];
  const value = key === undefined || item === undefined ? undefined : keyValue(item, key);
  return key === undefined || value === undefined ? Number(text) : { key, value };
}
