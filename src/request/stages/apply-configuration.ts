import { inTurns, onceInTurns } from '../../apimachinery/in-turns.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { plainValue, readJson } from '../../apimachinery/json-reader.ts';
import type { JsonText } from '../../apimachinery/json-reader.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { Pause } from '../../apimachinery/pause.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { badRequest, conflict } from '../../apimachinery/status.ts';
import { undeterminableName } from './check-identity.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import { decodeUtf8, yamlErrors } from './decode-body.ts';
import { managerOf } from './track-managed-fields.ts';

/**
 * A server-side apply: the stored object, or none, with what the configuration says and its manager owns.
 * Follows apiserver pkg/endpoints/handlers/patch.go applyPatcher (rules PATH-30, PATH-35).
 */
export async function applyConfiguration(rooms: Rooms, exchange: Exchange): Promise<Result<Exchange>> {
  const { resource, info, fields } = held(exchange.target, 'target');
  const patch = await readConfiguration(rooms, exchange);
  if (!patch.ok) return patch;
  await exchange.request.pause?.();
  const live = exchange.current?.view ?? null;
  const applied = await fields.apply({
    live,
    patch: patch.value,
    kind: resource.kind,
    manager: managerOf(exchange),
    subresource: resource.subresource,
    force: exchange.options.force === true,
    now: rooms.clock.now(),
    pause: exchange.request.pause,
  });
  if (!applied.ok) return applied;
  const { name, uid = '' } = metadataOf(applied.value);
  if (name === undefined || name === '') {
    return refuse(badRequest(undeterminableName(info.name)));
  }
  if (live === null && uid !== '') {
    const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    return refuse(conflict(resource, info.name, text));
  }
  return ok({ ...exchange, object: live === null ? unversioned(applied.value) : applied.value });
}

/** A resourceVersion says nothing about an object that does not exist yet. */
function unversioned(object: KubernetesObject): KubernetesObject {
  const { resourceVersion: _ignored, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

/** The body as a document: JSON as it is, YAML as the JSON it stands for. */
export async function readConfiguration(rooms: Rooms, exchange: Exchange): Promise<Result<JsonObject>> {
  const text = decodeUtf8(exchange.request.body);
  const configuration = await readEither(rooms, text, exchange.request.pause);
  if (!configuration.ok) return configuration;
  const { json, duplicates } = configuration.value;
  if (duplicates.length > 0 && exchange.options.fieldValidation === 'Strict') {
    return refuse(badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlErrors(duplicates)}`));
  }
  if (exchange.options.fieldValidation !== 'Ignore') duplicates.forEach(exchange.journal.warn);
  const document = await inTurns(() => onceInTurns(() => plainValue(json.value)), exchange.request.pause);
  if (!isJsonObject(document)) return refuse(badRequest('error decoding YAML: the configuration is not an object'));
  return ok(document);
}

interface Configuration {
  readonly json: JsonText;
  /** What Go's YAML reader says of keys given twice. */
  readonly duplicates: readonly string[];
}

async function readEither(rooms: Rooms, text: string, pause: Pause | undefined): Promise<Result<Configuration>> {
  const asJson = await inTurns(() => readJson(text), pause);
  if (asJson.outcome === 'read') return ok({ json: asJson.json, duplicates: duplicatesIn(asJson.json, text) });
  const converted = await rooms.bodies.yamlToJson(text);
  if (!converted.ok) {
    return refuse(badRequest(`error decoding YAML: error converting YAML to JSON: ${converted.error}`));
  }
  const reading = await inTurns(() => readJson(converted.text), pause);
  if (reading.outcome === 'unreadable') return refuse(badRequest(`error decoding YAML: ${reading.error}`));
  return ok({ json: reading.json, duplicates: converted.duplicates });
}

/** As if the JSON were read as the YAML that it is too. */
function duplicatesIn({ hasDuplicates, keys }: JsonText, text: string): readonly string[] {
  if (!hasDuplicates) return [];
  const lineOf = createLineCounter(text);
  return keys()
    .filter(({ duplicate }) => duplicate)
    .map(
      ({ path, offset }) =>
        `line ${lineOf(offset)}: key ${JSON.stringify(path.split('.').at(-1) ?? '')} already set in map`,
    );
}

/** Tells the lines of places in a text, asked for in their order. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
