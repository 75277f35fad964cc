import { goJsonKind } from '../../../machinery/go/go-print.ts';
import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { type JsonText, plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { yamlErrorText } from '../../../machinery/yaml/read-yaml.ts';
import { tooLargeNumberIn } from '../../../machinery/json/too-large-number.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, type Status } from '../../../machinery/meta/status.ts';
import { undeterminableName } from './check-identity.ts';
import { withParts, type Exchange, type PatchBody, requirePart, type RequestTarget } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { decodeUtf8 } from './decode-body.ts';
import { managerOf } from './track-managed-fields.ts';

/** Follows apiserver pkg/endpoints/handlers/patch.go applyPatcher (rules PATH-30, PATH-35). */
export async function applyServerSide(deps: HandlerDeps, exchange: Exchange): Promise<Result<Exchange>> {
  const { resource, fields } = requirePart(exchange.target, 'target');
  const read = await readAppliedConfiguration(deps, exchange);
  if (!read.ok) return read;
  const { document, duplicates } = read.value;
  const live = exchange.current?.view ?? null;
  const applied = await fields.apply({
    live,
    patch: document,
    kind: resource.kind,
    manager: managerOf(exchange),
    subresource: resource.subresource,
    force: exchange.options.force === true,
    now: deps.clock.now(),
  });
  if (!applied.ok) return applied;
  const refusal = reportDuplicates(deps, exchange, duplicates);
  if (refusal) return refuse(refusal);
  const unidentified = identityProblem(applied.value, requirePart(exchange.target, 'target'), live === null);
  if (unidentified) return refuse(unidentified);
  return ok(withParts(exchange, { object: applied.value }));
}

function identityProblem(
  object: KubernetesObject,
  { resource, info }: RequestTarget,
  isNew: boolean,
): Status | undefined {
  const { name = '', uid = '' } = metadataOf(object);
  if (name === '') return badRequest(undeterminableName(info.name));
  if (!isNew || uid === '') return undefined;
  const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  return conflict(resource, info.name, text);
}

export interface ReadConfiguration {
  readonly document: JsonObject;
  /** Errors of Go's YAML reader about duplicate keys, reported after those of the apply. */
  readonly duplicates: readonly string[];
}

/** Strict refuses, Warn warns. */
export function reportDuplicates(
  deps: HandlerDeps,
  { options, journal }: Exchange,
  duplicates: readonly string[],
): Status | undefined {
  if (duplicates.length > 0 && options.fieldValidation === 'Strict') {
    return badRequest(
      `error strict decoding ${bodyWord(deps)}: error converting YAML to JSON: ${yamlErrorText(duplicates)}`,
    );
  }
  if (options.fieldValidation !== 'Ignore') duplicates.forEach(journal.warn);
  return undefined;
}

/** JSON or YAML; an empty body is an object without fields. */
export async function readAppliedConfiguration(
  deps: HandlerDeps,
  exchange: Exchange,
): Promise<Result<ReadConfiguration>> {
  const read = exchange.patch
    ? ({ ok: true, body: exchange.patch } as const)
    : await readApplyBody(deps, decodeUtf8(exchange.request.body));
  if (!read.ok) return refuse(badRequest(`error decoding YAML: error converting YAML to JSON: ${read.error}`));
  const { json, duplicates } = read.body;
  const value = plainValue(json.value);
  const document = value ?? {};
  if (isJsonObject(document)) return ok({ document, duplicates });
  const error = `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goJsonKind(document)} into Go value of type map[string]interface {}`;
  return refuse(badRequest(`error decoding ${bodyWord(deps)}: ${error}`));
}

const bodyWord = ({ release }: HandlerDeps): string => (release.minor < 37 ? 'YAML' : 'patch');

/** JSON or YAML, as JSON. */
export async function readApplyBody(
  deps: HandlerDeps,
  text: string,
): Promise<{ readonly ok: true; readonly body: PatchBody } | { readonly ok: false; readonly error: string }> {
  const asJson = readJson(text);
  // Go's YAML reader also reads JSON, with numbers beyond doubles as text.
  if (asJson.outcome === 'read' && tooLargeNumberIn(asJson.json) === undefined) {
    const { json } = asJson;
    return { ok: true, body: { json, duplicates: findDuplicates(json, text) } };
  }
  const converted = await deps.bodies.yamlToJson(text);
  if (!converted.ok) return converted;
  const reading = readJson(converted.text);
  if (reading.outcome === 'unreadable') return { ok: false, error: reading.error };
  return { ok: true, body: { json: reading.json, duplicates: converted.duplicates } };
}

/** As Go's YAML reader reports them for JSON. */
function findDuplicates({ hasDuplicates, keys }: JsonText, text: string): readonly string[] {
  if (!hasDuplicates) return [];
  const lineOf = createLineCounter(text);
  return keys().flatMap(({ path, offset, duplicate }) =>
    duplicate ? [`line ${lineOf(offset)}: key ${JSON.stringify(path.split('.').at(-1) ?? '')} already set in map`] : [],
  );
}

/** Returns the line of an offset; offsets must increase. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
