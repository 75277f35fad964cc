import { servedWith } from '../object-validation/validate-object.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../machinery/json/json.ts';

export const nameOf = (object: JsonObject): string => asString(valueAt(object, 'metadata', 'name'));
export const namespaceOf = (object: JsonObject): string => asString(valueAt(object, 'metadata', 'namespace'));
export const kindOf = (object: JsonObject): string => asString(object['kind']);

/** `Pod web`, `Pod shop/web`. */
export const importedTitle = (object: JsonObject): string =>
  `${kindOf(object)} ${namespaceOf(object) === '' ? '' : `${namespaceOf(object)}/`}${nameOf(object)}`.trim();

export const objectKey = (object: JsonObject): string =>
  JSON.stringify([objectGroup(object), kindOf(object), namespaceOf(object) || 'default', nameOf(object)]);

export const objectGroup = (object: JsonObject): string => {
  const version = asString(object['apiVersion']);
  return version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
};

export const nonEmptyTexts = (value: JsonValue | undefined): readonly string[] =>
  asList(value).map(asString).filter(Boolean);

/** `deployments.apps/web` */
export const targetText = (object: JsonObject): string => {
  const group = objectGroup(object);
  return `${kindOf(object).toLowerCase()}${group === '' ? '' : `.${group}`}/${nameOf(object)}`;
};

/** [] when a fresh server has the namespace already. */
export const namespaceFor = (namespace: string, labels?: JsonObject): readonly JsonObject[] =>
  namespace === '' || (namespace === 'default' && labels === undefined)
    ? []
    : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...(labels ? { labels } : {}) } }];

const isOwnGroup = (group: string): boolean => ownGroups.has(group);

const ownGroups: ReadonlySet<string> = new Set(
  servedWith([])
    .catalogue.all()
    .map(({ group }) => group),
);

export const isServed = (object: JsonObject, definitions: readonly JsonObject[]): boolean =>
  isOwnGroup(objectGroup(object)) ||
  definitions.some(
    (one) =>
      kindOf(one) === 'CustomResourceDefinition' &&
      valueAt(one, 'spec', 'group') === objectGroup(object) &&
      asObject(valueAt(one, 'spec', 'names'))['kind'] === kindOf(object),
  );
