import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { removedApiAdvice } from '../../../machinery/meta/removed-apis.ts';
import { asObject, isJsonObject, type JsonObject, withValue } from '../../../machinery/json/json.ts';
import type { LoadedManifest } from '../format.ts';
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

/** Namespaces, definitions, the rest, webhook configurations; otherwise in the given order. */
export const inLoadingOrder = (manifests: readonly LoadedManifest[]): readonly LoadedManifest[] =>
  manifests.toSorted((a, b) => rankOf(a) - rankOf(b));

function rankOf({ object: { apiVersion, kind } }: LoadedManifest): number {
  if (apiVersion === 'v1' && kind === 'Namespace') return 0;
  if (kind === 'CustomResourceDefinition') return 1;
  const isRegistration = scalarText(apiVersion).startsWith('admissionregistration.k8s.io/');
  return isRegistration && scalarText(kind).endsWith('WebhookConfiguration') ? 3 : 2;
}
