import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  valueAt,
  withValue,
} from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

export const definitionResource: GroupResource = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
};

export interface Names {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

const textsOf = (value: JsonObject[string]): readonly string[] => asList(value).map(asString);

function namesOf(value: JsonObject[string]): Names {
  const { plural, singular, kind, listKind, shortNames, categories } = asObject(value);
  return {
    plural: asString(plural),
    singular: asString(singular),
    kind: asString(kind),
    listKind: asString(listKind),
    shortNames: textsOf(shortNames),
    categories: textsOf(categories),
  };
}

/** Ignores changes that do not affect the served resource. */
export const servesAlike = (a: JsonObject, b: JsonObject): boolean =>
  sameJson(a['spec'] ?? null, b['spec'] ?? null) && sameJson({ ...acceptedNames(a) }, { ...acceptedNames(b) });

export const definitionGroup = (definition: JsonObject): string => asString(valueAt(definition, 'spec', 'group'));
export const requestedNames = (definition: JsonObject): Names => namesOf(valueAt(definition, 'spec', 'names'));
export const acceptedNames = (definition: JsonObject): Names => namesOf(valueAt(definition, 'status', 'acceptedNames'));
export const isNamespaced = (definition: JsonObject): boolean => valueAt(definition, 'spec', 'scope') === 'Namespaced';
export const versionsOf = (definition: JsonObject): readonly JsonObject[] =>
  asList(valueAt(definition, 'spec', 'versions')).map(asObject);

export const storageVersionOf = (definition: JsonObject): string =>
  asString(versionsOf(definition).find(({ storage }) => storage === true)?.['name']);

/** Base64 of PEM. */
export const caBundleOf = (definition: JsonObject): string =>
  asString(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig', 'caBundle'));

export const versionNamed = (definition: JsonObject, name: string): JsonObject | undefined =>
  versionsOf(definition).find((version) => version['name'] === name);

export const hasStatus = (version: JsonObject): boolean => isJsonObject(valueAt(version, 'subresources', 'status'));

/** undefined without the subresource. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  /** [] when there is none. */
  readonly selector: readonly string[];
  /** As written, for messages. */
  readonly specText: string;
}

export function scalePathsOf(version: JsonObject): ScalePaths | undefined {
  const scale = valueAt(version, 'subresources', 'scale');
  if (!isJsonObject(scale)) return undefined;
  const specText = asString(scale['specReplicasPath']);
  return {
    specText,
    spec: dottedPath(specText),
    status: dottedPath(asString(scale['statusReplicasPath'])),
    selector: dottedPath(asString(scale['labelSelectorPath'])),
  };
}

/** `.spec.replicas` as a list of fields. */
export const dottedPath = (text: string): readonly string[] =>
  text
    .replace(/^\./, '')
    .split('.')
    .filter((field) => field !== '');

export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const conditionOf = (definition: JsonObject, type: string): JsonObject | undefined =>
  asList(valueAt(definition, 'status', 'conditions'))
    .map(asObject)
    .find((condition) => condition['type'] === type);

export const isConditionTrue = (definition: JsonObject, type: string): boolean =>
  conditionOf(definition, type)?.['status'] === 'True';

/** The converter's certificates are unreadable; white space counts as none. */
export const hasBrokenConverter = (definition: JsonObject): boolean =>
  conditionOf(definition, 'Established')?.['reason'] === 'InvalidCABundle' &&
  !/^\s*$/.test(atob(caBundleOf(definition)));

/** `time` is RFC 3339, set when the status changes. Follows apiextensions-apiserver pkg/apihelpers SetCRDCondition. */
export function withDefinitionCondition(
  definition: KubernetesObject,
  condition: DefinitionCondition,
  time: string,
): KubernetesObject {
  const conditions = asList(valueAt(definition, 'status', 'conditions')).map(asObject);
  const existing = conditions.find(({ type }) => type === condition.type);
  const { type, status, reason, message } = condition;
  const since = existing?.['status'] === status ? existing['lastTransitionTime'] : time;
  const next: JsonObject = { ...existing, type, status, lastTransitionTime: since, reason, message };
  const all = existing ? conditions.map((one) => (one === existing ? next : one)) : [...conditions, next];
  return asDefinition(withValue(definition, ['status', 'conditions'], all), definition);
}

export const withAcceptedNames = (definition: KubernetesObject, names: Names): KubernetesObject =>
  asDefinition(withValue(definition, ['status', 'acceptedNames'], printNames(names)), definition);

/** In Go's field order. */
function printNames({ plural, singular, shortNames, kind, listKind, categories }: Names): JsonObject {
  return {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

const asDefinition = (changed: JsonObject, { kind, apiVersion }: KubernetesObject): KubernetesObject => ({
  ...changed,
  kind,
  apiVersion,
});

/** Keeps a definition until its objects are removed. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const terminatingReasons = {
  InstanceDeletionPending: [
    'True',
    'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  ],
  InstanceDeletionInProgress: ['True', 'CustomResource deletion is in progress'],
  InstanceDeletionCompleted: ['False', 'removed all instances'],
  OverlappingBuiltInResource: ['False', 'instances overlap with built-in resources in storage'],
  NeverEstablished: ['False', 'resource was never established'],
} as const satisfies Record<string, readonly [status: 'True' | 'False', message: string]>;

/** Follows apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go. */
export function terminatingCondition(reason: keyof typeof terminatingReasons): DefinitionCondition {
  const [status, message] = terminatingReasons[reason];
  return { type: 'Terminating', status, reason, message };
}
