import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { removedApiAdvice, notADefinitionText } from '../../../machinery/meta/removed-apis.ts';
import { asObject, isJsonObject, withValue, asString, valueAt, type JsonObject } from '../../../machinery/json/json.ts';
import { conversionBy } from '../../stubs/answer-conversion.ts';
import type { LoadedManifest } from '../format.ts';
import { nameOf } from '../known-webhooks.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Located } from './located.ts';
import type { Problems, ScenarioReader } from './problems.ts';
import { scalarText } from './scalar-text.ts';

/** Of a file, of all manifests in a folder, or the object itself. */
export function readScenarioManifests(at: Located, reading: ScenarioReader): readonly LoadedManifest[] {
  if (Array.isArray(at.value)) return at.items().flatMap((item) => readScenarioManifests(item, reading));
  if (isJsonObject(at.value)) return objectsIn(at, reading.problems);
  const { files, problems } = reading;
  const path = files.find(at, problems);
  return path === undefined ? [] : files.documents(path, problems).flatMap((document) => objectsIn(document, problems));
}

/** Items of a List are separate objects. */
export function objectsIn(at: Located, problems: Problems): readonly LoadedManifest[] {
  if (!isJsonObject(at.value)) return reportProblem(at, 'an object with apiVersion and kind is expected', problems);
  const { apiVersion, kind } = at.value;
  if (typeof apiVersion !== 'string' || apiVersion === '') return reportProblem(at, 'apiVersion is missing', problems);
  if (typeof kind !== 'string' || kind === '') return reportProblem(at, 'kind is missing', problems);
  const items = at.get('items');
  if (kind.endsWith('List') && items) return items.items().flatMap((item) => objectsIn(item, problems));
  const advice = removedApiAdvice({ ...parseApiVersion(apiVersion), kind }, at.value);
  if (advice !== undefined) return reportProblem(at.get('apiVersion') ?? at, advice, problems);
  return [{ object: at.value, place: at.place }];
}

function reportProblem(at: Located, message: string, problems: Problems): readonly LoadedManifest[] {
  problems.at(at, message);
  return [];
}

/** Unless the object has a namespace. */
export function inNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  if (namespace === undefined || asObject(object['metadata'])['namespace'] !== undefined) return object;
  return withValue(object, ['metadata', 'namespace'], namespace);
}

/** A folder may contain other files, such as a kustomization or patches; a file or object that is named must be a definition. */
export function readDefinitions(at: Located | undefined, reading: ScenarioReader): readonly LoadedManifest[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) return at.items().flatMap((item) => readDefinitions(item, reading));
  const { files, problems } = reading;
  if (isJsonObject(at.value)) return checkDefinitions(objectsIn(at, problems), problems);
  const path = files.find(at, problems);
  if (path === undefined) return [];
  const documents = files.documents(path, problems);
  if (!files.isFolder(path))
    return checkDefinitions(
      documents.flatMap((one) => objectsIn(one, problems)),
      problems,
    );
  const definitions = documents
    .filter(mayDefine)
    .flatMap((one) => objectsIn(one, problems))
    .filter(isDefinition);
  if (definitions.length === 0) problems.at(at, `${JSON.stringify(at.value)} contains no CustomResourceDefinition`);
  return definitions;
}

const isDefinition = ({ object: { kind } }: LoadedManifest): boolean => kind === 'CustomResourceDefinition';

/** A whole definition, not a patch; or a List that may contain one. */
const mayDefine = ({ value }: Located): boolean =>
  isJsonObject(value) &&
  (asString(value['kind']).endsWith('List') ||
    (value['kind'] === 'CustomResourceDefinition' && valueAt(value, 'spec', 'names') !== undefined));

function checkDefinitions(manifests: readonly LoadedManifest[], problems: Problems): readonly LoadedManifest[] {
  const other = manifests.find((one) => !isDefinition(one));
  if (other) {
    const { object, place } = other;
    problems.add({ place, path: '', message: notADefinitionText(asString(object['kind'])) });
  }
  return manifests;
}

const converterDefinition = (at: Located): string => scalarText(at.get('definition')?.value);

/** Adds the converter to definitions without one: projects add it only when they are installed. */
export function withConverters(
  manifests: readonly LoadedManifest[],
  converters: readonly Located[],
  problems: Problems,
): readonly LoadedManifest[] {
  const names = manifests.filter(isDefinition).map(({ object }) => nameOf(object));
  for (const at of converters) {
    const name = converterDefinition(at);
    if (names.includes(name)) continue;
    const message = `no CustomResourceDefinition ${name} in crds or load${didYouMean(name, names)}`;
    problems.at(at.get('definition') ?? at, message);
  }
  const converted = new Set(converters.map(converterDefinition));
  return manifests.map((manifest) => {
    const { object } = manifest;
    return isDefinition(manifest) && converted.has(nameOf(object))
      ? { ...manifest, object: withConversion(object) }
      : manifest;
  });
}

const withConversion = (definition: JsonObject): JsonObject =>
  valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook'
    ? definition
    : withValue(definition, ['spec', 'conversion'], conversionBy(nameOf(definition)));
