import { flattenFields, type BuiltinTypes } from '../../../api/types/builtin-types.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type { Scalar, TypeRef } from '../../../api/types/type-info.ts';
import type { FieldsOf, TypedSubject, checkTypes } from '../../../cel/index.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  escapedNames,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
  type Type,
} from '../../../cel/vocabulary.ts';
import { compareTexts } from '../../../machinery/go/strings.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { type GroupVersionKind, gvkText } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { MatchRule } from '../matching/match-selectors.ts';
import { type AdmissionPolicy, policyOf } from './policy.ts';

export interface TypeWarningPorts {
  readonly catalogue: Catalogue;
  readonly checkTypes: typeof checkTypes;
}

const maxKinds = 10;

/**
 * `status.typeChecking.expressionWarnings`. Follows apiserver pkg/admission/plugin/policy/validating/typechecking.go
 * (rule VAP-37).
 */
export function checkPolicyTypes(object: KubernetesObject, ports: TypeWarningPorts): readonly JsonObject[] {
  const policy = policyOf(object);
  const subjects: Subject[] = [];
  for (const kind of kindsOf(policy, ports.catalogue)) subjects.push(...subjectOf(kind, policy, ports));
  const warnings: JsonObject[] = [];
  for (const [index, validation] of policy.validations.entries()) {
    for (const field of ['expression', 'messageExpression'] as const) {
      const issues = issuesIn(validation[field], subjects, ports);
      if (issues !== '') warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning: issues });
    }
  }
  return warnings;
}

function issuesIn(expression: string, subjects: readonly Subject[], { checkTypes: check }: TypeWarningPorts): string {
  const issues: string[] = [];
  for (const { kind, subject } of expression === '' ? [] : subjects) {
    const problems = check(expression, subject).issues;
    if (problems !== undefined) issues.push(`${gvkText(kind)}: ${problems}\n`);
  }
  return issues.join('\n');
}

interface Subject {
  readonly kind: GroupVersionKind;
  readonly subject: TypedSubject;
}

function subjectOf(
  kind: GroupVersionKind,
  { paramKind, variables }: AdmissionPolicy,
  { checkTypes: check, catalogue: { types: builtin } }: TypeWarningPorts,
): readonly Subject[] {
  const name = builtin.typeOfKind(kind);
  if (name === undefined) return [];
  const params = paramKind && builtin.typeOfObject(paramKind);
  const types = new Map<string, Type>();
  const subject: TypedSubject = {
    object: declaredType(builtin, name),
    params: params === undefined ? undefined : declaredType(builtin, params),
    structs: (struct) => declaredFields(builtin, struct),
    variables: types,
  };
  // A variable that does not compile has type dyn.
  for (const variable of variables) {
    types.set(variable.name, check(variable.expression, subject).type ?? dynType);
  }
  return [{ kind, subject }];
}

/** Skips wildcards in group or version, and subresources. */
function kindsOf({ match }: AdmissionPolicy, catalogue: Catalogue): readonly GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  const served = namesIn(catalogue);
  for (const rule of match.resourceRules) {
    for (const kind of kindsIn(rule, served, catalogue)) {
      kinds.set(gvkText(kind), kind);
      if (kinds.size >= maxKinds) break;
    }
    if (kinds.size >= maxKinds) break;
  }
  return [...kinds.values()].toSorted(
    (a, b) => compareTexts(a.group, b.group) || compareTexts(a.version, b.version) || compareTexts(a.kind, b.kind),
  );
}

interface ServedNames {
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
}

function namesIn(catalogue: Catalogue): ServedNames {
  const served = catalogue.all();
  return {
    groups: new Set(served.map(({ group }) => group)),
    versions: new Set(served.map(({ version }) => version)),
    resources: new Set(served.map(({ resource }) => resource)),
  };
}

/** In upstream's order, limited to served groups and versions: the full product of three lists may be huge. */
function* kindsIn(rule: MatchRule, served: ServedNames, catalogue: Catalogue): Iterable<GroupVersionKind> {
  const groups = servedOf(rule.apiGroups, served.groups);
  const versions = servedOf(rule.apiVersions, served.versions);
  const plain = servedOf(rule.resources, served.resources);
  for (const group of groups) {
    for (const version of versions.filter((each) => catalogue.hasVersion(group, each))) {
      yield* plain.flatMap((resource) => catalogue.find({ group, version, resource }, '')?.kind ?? []);
    }
  }
}

const servedOf = (texts: readonly string[], all: ReadonlySet<string>): readonly string[] =>
  [...new Set(texts)].filter((text) => all.has(text)).toSorted();

/** `apps.v1.Deployment`. Follows apiserver pkg/cel/common/schemas.go. */
const declaredType = (types: BuiltinTypes, name: string): Type => typeOf(types, { type: 'named', name });

/** undefined for a type that is no struct. */
function declaredFields(types: BuiltinTypes, name: string): FieldsOf | undefined {
  if (types.typeInfo(name)?.is !== 'struct') return undefined;
  return (field) => {
    if (types.hasTypeMeta(name) && (field === 'kind' || field === 'apiVersion')) return stringType;
    const [real] = escapedNames(field);
    const declaredField = flattenFields(types, name).find((one) => one.name === (real ?? field));
    return declaredField && typeOf(types, declaredField.type);
  };
}

function typeOf(types: BuiltinTypes, ref: TypeRef): Type {
  switch (ref.type) {
    case 'scalar':
      return scalars[ref.scalar];
    case 'list':
      return listType(typeOf(types, ref.of));
    case 'map':
      return mapType(stringType, typeOf(types, ref.of));
    case 'named': {
      const info = types.typeInfo(ref.name);
      if (info?.is === 'alias') return typeOf(types, info.of);
      return info?.is === 'struct' ? structType(ref.name) : dynType;
    }
  }
}

const scalars: Readonly<Record<Scalar, Type>> = {
  string: stringType,
  bool: boolType,
  int32: intType,
  int64: intType,
  float64: doubleType,
  bytes: bytesType,
  quantity: dynType,
  intstr: dynType,
  time: timestampType,
  microtime: timestampType,
  duration: stringType,
  raw: dynType,
  fieldsv1: dynType,
  json: dynType,
  any: dynType,
};
