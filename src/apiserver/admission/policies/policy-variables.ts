import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import { asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { once } from '../../../machinery/once.ts';
import type { ExpressionVariables, OnVariable } from '../matching/expressions.ts';
import { requestVariable } from '../matching/request-variable.ts';
import type { Namespace } from '../../../api/types/generated/core-v1.ts';

export interface PolicyView {
  /** With its objects in the matched version. */
  readonly view: AdmissionAttributes;
  readonly as: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource };
  readonly params: KubernetesObject | null;
  readonly variables: RequestVariables;
  readonly authorize: Authorize;
  readonly onVariable?: OnVariable | undefined;
}

/** Variables that are built at most once for all policies with the same match. */
export interface RequestVariables {
  readonly request: () => JsonObject;
  /** For matchConditions: with the requested resource. */
  readonly requested: () => JsonObject;
  readonly namespaceObject: () => JsonValue;
}

/** null for cluster-scoped objects and for Namespaces (rule VAP-9). */
export const createRequestVariables = (
  view: AdmissionAttributes,
  as: PolicyView['as'],
  namespace: KubernetesObject | null,
): RequestVariables => ({
  request: once(() => requestVariable(view, as)),
  requested: once(() => requestVariable(view, { kind: as.kind, resource: view.resource })),
  namespaceObject: once(() => namespace && namespaceVariable(namespace)),
});

/** Requested resource, no namespace. Follows apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go. */
export const conditionVariables = ({ view, params, variables, authorize }: PolicyView): ExpressionVariables => ({
  object: view.object,
  oldObject: view.oldObject,
  request: variables.requested,
  namespaceObject: () => null,
  params,
  requester: { request: view, authorize },
});

/** Messages and audit annotations have no authorizer (rule VAP-26). */
export const policyVariables = (
  { view, params, variables, authorize }: PolicyView,
  authorizer: 'authorizer' | 'no-authorizer',
): ExpressionVariables => ({
  object: view.object,
  oldObject: view.oldObject,
  request: variables.request,
  namespaceObject: variables.namespaceObject,
  params,
  requester: authorizer === 'authorizer' ? { request: view, authorize } : null,
});

const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'uid',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'resourceVersion',
  'finalizers',
] as const;

/** Follows apiserver pkg/admission/plugin/cel/condition.go CreateNamespaceObject (rule CEL-5). */
function namespaceVariable({ metadata, spec, status }: Namespace): JsonObject {
  return {
    metadata: pick({ ...metadata }, metadataFields),
    ...(spec === undefined ? {} : { spec: pick(asObject(spec), ['finalizers']) }),
    ...(status === undefined ? {} : { status: pick(asObject(status), ['conditions', 'phase']) }),
  };
}

function pick(object: Readonly<Record<string, JsonValue | undefined>>, fields: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = object[field];
    if (value !== undefined) picked[field] = value;
  }
  return picked;
}
