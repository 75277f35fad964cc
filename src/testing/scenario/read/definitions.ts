import { notADefinitionText } from '../../../machinery/meta/removed-apis.ts';
import { asString, isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { LoadedManifest } from '../format.ts';
import type { Located } from './located.ts';
import { objectsIn } from './manifests.ts';
import type { ScenarioReader } from './problems.ts';

/** A folder may contain other files, such as a kustomization or patches; a file or object that is named must be a definition. */
export function readDefinitions(at: Located | undefined, reading: ScenarioReader): readonly LoadedManifest[] {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) return at.items().flatMap((item) => readDefinitions(item, reading));
  if (isJsonObject(at.value)) return wanted(objectsIn(at, reading.problems), reading);
  const { files, problems } = reading;
  const path = files.find(at, problems);
  if (path === undefined) return [];
  const documents = files.documents(path, problems);
  const isFolder = files.isFolder(path);
  const objects = documents.flatMap((one) => (!isFolder || mayDefine(one) ? objectsIn(one, reading.problems) : []));
  return isFolder ? some(at, objects.filter(isDefinition), reading) : wanted(objects, reading);
}

const isDefinition = ({ object: { kind } }: LoadedManifest): boolean => kind === 'CustomResourceDefinition';

/** A whole definition, not a patch; or a List that may contain one. */
const mayDefine = ({ value }: Located): boolean =>
  isJsonObject(value) &&
  (asString(value['kind']).endsWith('List') ||
    (value['kind'] === 'CustomResourceDefinition' && valueAt(value, 'spec', 'names') !== undefined));

function wanted(found: readonly LoadedManifest[], reading: ScenarioReader): readonly LoadedManifest[] {
  const other = found.find((one) => !isDefinition(one));
  if (other) {
    const { object, place } = other;
    reading.problems.add({ place, path: '', message: notADefinitionText(asString(object['kind'])) });
  }
  return found;
}

function some(at: Located, found: readonly LoadedManifest[], reading: ScenarioReader): readonly LoadedManifest[] {
  if (found.length === 0) reading.problems.at(at, `${JSON.stringify(at.value)} contains no CustomResourceDefinition`);
  return found;
}
