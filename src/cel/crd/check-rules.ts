import { trimSpace } from '../../machinery/go/strings.ts';
import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../../machinery/meta/field-error.ts';
import { capCost } from '../estimate/estimator.ts';
import { compileRule, compileRuleMessage } from './compile-rule.ts';
import { maxCardinality, type RuleOptions, ruleScope, type RuleScope } from './rule-scope.ts';

/** The context of the check of a schema's rules. */
export interface RuleChecks extends Pick<RuleOptions, 'release'> {
  /** Was this expression in the stored definition? Then it may use everything that the server knows. */
  readonly isStored: (expression: string) => boolean;
  /** Is the schema at this path, with everything below, free of other errors? Otherwise its rules are not checked. */
  readonly isSound?: (path: string) => boolean;
  /** Schemas that were accepted before may be too expensive, rule by rule. */
  readonly forgivesCost?: boolean;
}

/**
 * Checks the x-kubernetes-validations of a whole schema when a definition is written: every expression must compile,
 * and their estimated cost must not be too high. `path` is that of the schema. Follows apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go.
 */
export function checkRules(schema: JsonObject, path: string, checks: RuleChecks): readonly FieldError[] {
  const costs: ExpressionCost[] = [];
  const errors: FieldError[] = [];
  for (const site of listRuleSites(rootNode(schema, path), checks)) {
    if ('type' in site) errors.push(site);
    else {
      const findings = checkRule(site);
      append(errors, findings.errors);
      append(costs, findings.costs);
    }
  }
  return [...errors, ...totalCostErrors(costs, path)];
}

/** The rules of a node and of all nodes below it, inner ones first. Rules that cannot be checked are one error. */
function* listRuleSites(node: SchemaNode, check: RuleChecks): Iterable<RuleSite | FieldError> {
  for (const child of childNodes(node)) yield* listRuleSites(child, check);
  const rules = asList(node.schema['x-kubernetes-validations']).map(asObject);
  if (rules.length === 0 || check.isSound?.(node.path) === false) return;
  const scope = ruleScope(node.schema, node.isResource, check.release);
  if (scope === undefined) return yield untypedSchemaError(node);
  for (const [index, rule] of rules.entries()) {
    yield { rule, path: `${node.path}.x-kubernetes-validations[${index}]`, node, scope, check };
  }
}

const untypedSchemaError = ({ path }: SchemaNode): FieldError => ({
  type: 'InternalError',
  field: `${path}.x-kubernetes-validations`,
  detail:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
});

interface RuleSite {
  readonly rule: JsonObject;
  readonly path: string;
  readonly node: SchemaNode;
  readonly scope: RuleScope;
  readonly check: RuleChecks;
}

/** The errors of a rule and its message, and their estimated cost. */
interface Findings {
  readonly errors: readonly FieldError[];
  readonly costs: readonly ExpressionCost[];
}

const noFindings: Findings = { errors: [], costs: [] };

const singleError = (error: FieldError): Findings => ({ errors: [error], costs: [] });

function checkRule(site: RuleSite): Findings {
  const { rule, path, scope, check, node } = site;
  const text = asString(rule['rule']);
  if (trimSpace(text) === '') return singleError(required(`${path}.rule`, 'rule is not specified'));
  const { release } = check;
  const options = { release, stored: check.isStored(text), optionalOldSelf: rule['optionalOldSelf'] === true };
  const compilation = compileRule(scope, text, options);
  const field = `${path}.rule`;
  if (compilation.outcome === 'failed') {
    return {
      errors: [invalidValue(field, toGoRule(rule), compilation.error), ...oldSelfErrors(site, false)],
      costs: [],
    };
  }
  const times = node.cardinality ?? maxCardinality(scope);
  const cost = { path: field, cost: capCost(compilation.rule.maxCost * times) };
  const message = checkMessageExpression(site);
  return {
    errors: [
      ...costErrors(check, 'rule', cost),
      ...message.errors,
      ...oldSelfErrors(site, compilation.rule.usesOldSelf),
    ],
    costs: [cost, ...message.costs],
  };
}

function checkMessageExpression({ rule, path, scope, check }: RuleSite): Findings {
  const text = asString(rule['messageExpression']);
  if (text === '') return noFindings;
  const options = { stored: check.isStored(text), optionalOldSelf: rule['optionalOldSelf'] === true };
  const compilation = compileRuleMessage(scope, text, options);
  const field = `${path}.messageExpression`;
  if (compilation.outcome === 'failed') return singleError(invalidValue(field, toGoRule(rule), compilation.error));
  const cost = { path: field, cost: compilation.rule.maxCost };
  return { errors: costErrors(check, 'messageExpression', cost), costs: [cost] };
}

const costErrors = (
  { forgivesCost }: RuleChecks,
  kind: 'rule' | 'messageExpression',
  cost: ExpressionCost,
): readonly FieldError[] => (forgivesCost === true ? [] : expressionCostErrors(kind, cost));

function oldSelfErrors({ rule, path, node }: RuleSite, usesOldSelf: boolean): readonly FieldError[] {
  const { uncorrelatable } = node;
  const { optionalOldSelf } = rule;
  if (usesOldSelf) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return uncorrelatable === undefined ? [] : [invalidValue(`${path}.rule`, rule['rule'] ?? '', detail)];
  }
  if (typeof optionalOldSelf !== 'boolean') return [];
  const detail = 'may not be set if oldSelf is not used in rule';
  return [invalidValue(`${path}.optionalOldSelf`, optionalOldSelf, detail)];
}

/** The rule as Go prints its struct. */
const toGoRule = (rule: JsonObject): JsonValue => ({
  Rule: asString(rule['rule']),
  Message: asString(rule['message']),
  MessageExpression: asString(rule['messageExpression']),
  Reason: rule['reason'] ?? null,
  FieldPath: asString(rule['fieldPath']),
  OptionalOldSelf: rule['optionalOldSelf'] ?? null,
});

/** A node of the schema of a definition, as far as rules go. */
interface SchemaNode {
  readonly schema: JsonObject;
  readonly path: string;
  readonly isResource: boolean;
  /** How many values of this schema a resource can contain; undefined without a limit. */
  readonly cardinality: bigint | undefined;
  /** The outermost list or map whose values have no counterpart in the resource as it was. */
  readonly uncorrelatable: string | undefined;
}

const rootNode = (schema: JsonObject, path: string): SchemaNode => ({
  schema,
  path,
  isResource: true,
  cardinality: 1n,
  uncorrelatable: undefined,
});

/** The nodes directly inside. Follows apiextensions-apiserver pkg/apis/apiextensions/validation/cel_validation.go. */
function childNodes(node: SchemaNode): readonly SchemaNode[] {
  const { schema, path } = node;
  const { additionalProperties: additional, items } = schema;
  const properties = Object.entries(asObject(schema['properties'])).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const cardinality = childCardinality(node);
  const child = (json: JsonValue | undefined, step: string, isCorrelated = true): readonly SchemaNode[] => {
    if (!isJsonObject(json)) return [];
    const isResource = json['x-kubernetes-embedded-resource'] === true;
    const uncorrelatable = node.uncorrelatable ?? (isCorrelated ? undefined : path);
    return [{ schema: json, path: `${path}.${step}`, isResource, cardinality, uncorrelatable }];
  };
  return [
    ...child(additional, 'additionalProperties'),
    ...properties.flatMap(([name, property]) => child(property, `properties[${name}]`, hasSoundMapType(schema))),
    ...child(items, 'items', schema['x-kubernetes-list-type'] === 'map'),
  ];
}

/** In all maps, old values correspond to new ones; in lists only if they are of type map. */
const hasSoundMapType = ({ 'x-kubernetes-map-type': type }: JsonObject): boolean =>
  type === undefined || type === null || type === 'granular' || type === 'atomic';

function childCardinality({ schema, cardinality }: SchemaNode): bigint | undefined {
  const factor = maxElements(schema);
  return cardinality === undefined || factor === undefined ? undefined : capCost(cardinality * factor);
}

/** How many elements a value can have; 1 for a scalar. */
function maxElements({ type, additionalProperties, maxItems, maxProperties }: JsonObject): bigint | undefined {
  if (type === 'array') return limit(maxItems);
  return type === 'object' && additionalProperties !== undefined ? limit(maxProperties) : 1n;
}

const limit = (json: JsonValue | undefined): bigint | undefined =>
  typeof json === 'number' ? BigInt(Math.max(0, json)) : undefined;

/** The maximum cost of one expression of a schema, regardless of how often a resource can contain its values. */
interface ExpressionCost {
  readonly path: string;
  readonly cost: bigint;
}

const expressionLimit = 10_000_000n;
const totalLimit = 100_000_000n;

/** The error about an expression that is too expensive by itself. Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
const expressionCostErrors = (
  kind: 'rule' | 'messageExpression',
  { path, cost }: ExpressionCost,
): readonly FieldError[] =>
  cost > expressionLimit ? [forbiddenField(path, exceededText(`estimated ${kind} cost`, cost, expressionLimit))] : [];

const maxNamed = 4;

/** The errors about a schema whose expressions are too expensive together, the most expensive first. */
function totalCostErrors(costs: readonly ExpressionCost[], schemaPath: string): readonly FieldError[] {
  const total = capCost(costs.reduce((sum, { cost }) => sum + cost, 0n));
  if (total <= totalLimit) return [];
  const expensive = costs.filter(({ cost }) => cost >= totalLimit / 100n);
  const mostExpensive = expensive
    .toSorted((a, b) => Number(b.cost > a.cost) - Number(b.cost < a.cost))
    .slice(0, maxNamed);
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...mostExpensive.map(({ path }) => forbiddenField(path, contributedText)),
    forbiddenField(schemaPath, exceededText(name, total, totalLimit)),
  ];
}

const contributedText = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

const exceededText = (name: string, cost: bigint, limit: bigint): string =>
  `${name} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}
