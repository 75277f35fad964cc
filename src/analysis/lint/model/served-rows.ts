import { asList, asObject, asString, isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { currentRelease } from '../../../api/release/current-release.ts';

export interface ServedRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly deletesCollections: boolean;
  /** False: known only from a rule. */
  readonly isKnown: boolean;
  readonly isBuiltin: boolean;
}

/** The release's built-in resources. */
const builtinRows: readonly ServedRow[] = currentRelease
  .createCatalogue()
  .all()
  .map(({ group, version, resource, subresource, kind, namespaced, verbs }) => ({
    group,
    version,
    resource,
    subresource,
    namespaced,
    deletesCollections: verbs.includes('deletecollection'),
    kind: kind.kind,
    isKnown: true,
    isBuiltin: true,
  }));

/** Built-in resources and those of these CustomResourceDefinitions. */
export const servedRows = (definitions: readonly JsonObject[]): readonly ServedRow[] => [
  ...builtinRows,
  ...definitions.flatMap(rowsOf),
];

function rowsOf(definition: JsonObject): readonly ServedRow[] {
  const spec = asObject(definition['spec']);
  const names = asObject(spec['names']);
  return asList(spec['versions'])
    .map(asObject)
    .filter(({ served }) => served === true)
    .flatMap((version) => {
      const common = {
        group: asString(spec['group']),
        version: asString(version['name']),
        resource: asString(names['plural']),
        kind: asString(names['kind']),
        namespaced: spec['scope'] !== 'Cluster',
        deletesCollections: true,
        isKnown: true,
        isBuiltin: false,
      };
      const own = ['status', 'scale'].filter((one) => isJsonObject(valueAt(version, 'subresources', one)));
      return ['', ...own].map((subresource) => ({ ...common, subresource }));
    });
}

/** `pods/status`, `deployments.apps`. */
export const rowName = ({
  group,
  resource,
  subresource,
}: Pick<ServedRow, 'group' | 'resource' | 'subresource'>): string =>
  `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
