import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { kindOf, nameOf, nonEmptyTexts } from './objects.ts';

export type ConstraintPolicy =
  | { readonly policy: string; readonly load: readonly JsonObject[] }
  | { readonly because: string };

/** The policy, binding and parameters equivalent to a constraint whose template uses the engine K8sNativeValidation. */
export function constraintPolicy(template: JsonObject, constraint: JsonObject): ConstraintPolicy {
  const kind = asString(valueAt(template, 'spec', 'crd', 'spec', 'names', 'kind'));
  const source = celSource(template);
  if (source === undefined)
    return { because: `template ${nameOf(template)} is written in Rego, which an API server does not know` };
  if (kindOf(constraint) !== kind) return { because: `constraint ${nameOf(constraint)} is no ${kind}` };
  const actions = enforcementActions(constraint);
  if (actions.length === 0) return { because: `constraint ${nameOf(constraint)} is not enforced by admission` };
  const policy = `gatekeeper-${kind.toLowerCase()}`;
  return {
    policy,
    load: [
      constraintDefinition(template, kind),
      { ...constraint, apiVersion: constraintVersion },
      {
        apiVersion,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: policy },
        spec: policySpec(constraint, source),
      },
      {
        apiVersion,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: `${policy}-${nameOf(constraint)}` },
        spec: bindingSpec(constraint, policy, actions),
      },
    ],
  };
}

const apiVersion = 'admissionregistration.k8s.io/v1';

/** Of the resources of Gatekeeper's webhook, those that a test can be about. */
const resources = ['*', 'pods/ephemeralcontainers'];

/** Gatekeeper gives validations `variables.params` and `variables.anyObject`. */
const policySpec = (constraint: JsonObject, source: JsonObject): JsonObject => ({
  ...(typeof source['failurePolicy'] === 'string' ? { failurePolicy: source['failurePolicy'] } : {}),
  paramKind: { apiVersion: constraintVersion, kind: kindOf(constraint) },
  matchConstraints: {
    resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources }],
  },
  matchConditions: [
    ...matchConditions(asObject(valueAt(constraint, 'spec', 'match'))),
    ...asList(source['matchConditions']),
  ],
  variables: [
    { name: 'anyObject', expression: 'object == null ? oldObject : object' },
    { name: 'params', expression: '!has(params.spec) || !has(params.spec.parameters) ? null : params.spec.parameters' },
    ...asList(source['variables']),
  ],
  validations: asList(source['validations']),
});

function bindingSpec(constraint: JsonObject, policy: string, actions: readonly string[]): JsonObject {
  const { labelSelector, namespaceSelector } = asObject(valueAt(constraint, 'spec', 'match'));
  const selectors = {
    ...(isJsonObject(labelSelector) ? { objectSelector: labelSelector } : {}),
    ...(isJsonObject(namespaceSelector) ? { namespaceSelector } : {}),
  };
  return {
    policyName: policy,
    paramRef: { name: nameOf(constraint), parameterNotFoundAction: 'Deny' },
    validationActions: actions,
    ...(Object.keys(selectors).length > 0 ? { matchResources: selectors } : {}),
  };
}

const constraintVersion = 'constraints.gatekeeper.sh/v1beta1';

function celSource(template: JsonObject): JsonObject | undefined {
  const code = asList(valueAt(template, 'spec', 'targets')).flatMap((target) => asList(valueAt(target, 'code')));
  const native = code.map(asObject).find((one) => one['engine'] === 'K8sNativeValidation');
  return native === undefined ? undefined : asObject(native['source']);
}

const actionNames: Readonly<Record<string, string>> = { deny: 'Deny', warn: 'Warn', dryrun: 'Audit' };

/** `scoped` lists its actions one by one. */
function enforcementActions(constraint: JsonObject): readonly string[] {
  const action = asString(valueAt(constraint, 'spec', 'enforcementAction')) || 'deny';
  const scoped = asList(valueAt(constraint, 'spec', 'scopedEnforcementActions')).map(asObject);
  const actions = action === 'scoped' ? scoped.map((one) => asString(one['action'])) : [action];
  const known = [...new Set(actions.flatMap((one) => actionNames[one] ?? []))];
  return known.includes('Deny') ? known.filter((one) => one !== 'Warn') : known;
}

/** `spec.match` as match conditions. Globs are `*` at either end, as Gatekeeper allows. */
function matchConditions(match: JsonObject): readonly JsonObject[] {
  const namespace = "(request.namespace == '' && request.kind.kind == 'Namespace' ? request.name : request.namespace)";
  const named = (patterns: JsonValue | undefined): string =>
    nonEmptyTexts(patterns)
      .map((one) => `${namespace}.matches('^${one.replaceAll('*', '.*')}$')`)
      .join(' || ');
  const kinds = asList(match['kinds'])
    .map(asObject)
    .map((one) => {
      const group = inList('request.kind.group', one['apiGroups']);
      return `(${[group, inList('request.kind.kind', one['kinds'])].join(' && ')})`;
    });
  return [
    ...(kinds.length > 0 ? [{ name: 'kinds', expression: kinds.join(' || ') }] : []),
    ...(nonEmptyTexts(match['namespaces']).length > 0
      ? [{ name: 'namespaces', expression: `${namespace} == '' || ${named(match['namespaces'])}` }]
      : []),
    ...(nonEmptyTexts(match['excludedNamespaces']).length > 0
      ? [{ name: 'excluded-namespaces', expression: `!(${named(match['excludedNamespaces'])})` }]
      : []),
    ...(typeof match['name'] === 'string'
      ? [{ name: 'name', expression: `request.name.matches('^${match['name'].replaceAll('*', '.*')}$')` }]
      : []),
    ...(match['scope'] === 'Namespaced' ? [{ name: 'scope', expression: "request.namespace != ''" }] : []),
    ...(match['scope'] === 'Cluster' ? [{ name: 'scope', expression: "request.namespace == ''" }] : []),
  ];
}

function inList(field: string, values: JsonValue | undefined): string {
  const all = asList(values).map(asString);
  if (all.length === 0 || all.includes('*')) return 'true';
  return `${field} in [${all.map((one) => `'${one}'`).join(', ')}]`;
}

/** Gatekeeper makes this definition of a template: its defaults and limits apply. */
function constraintDefinition(template: JsonObject, kind: string): JsonObject {
  const plural = kind.toLowerCase();
  const schema = asObject(valueAt(template, 'spec', 'crd', 'spec', 'validation', 'openAPIV3Schema'));
  const isLegacy = valueAt(template, 'spec', 'crd', 'spec', 'validation', 'legacySchema') === true;
  const open = { 'x-kubernetes-preserve-unknown-fields': true };
  const parameters = isLegacy || schema['type'] === undefined ? open : schema;
  const spec = { type: 'object', properties: { match: { type: 'object', ...open }, parameters }, ...open };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.constraints.gatekeeper.sh` },
    spec: {
      group: 'constraints.gatekeeper.sh',
      names: { kind, listKind: `${kind}List`, plural, singular: plural },
      scope: 'Cluster',
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}
