import { trimSpace } from '../../machinery/go/trim-space.ts';
import { append } from '../../machinery/json/append.ts';
import { invalidValue, required } from '../../machinery/meta/field-error.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { compileRule, compileRuleMessage } from './compile-rule.ts';
import { expressionCostErrors, repeated, totalCostErrors } from './rule-budget.ts';
import type { ExpressionCost } from './rule-budget.ts';
import { childPlaces, rootPlace } from './rule-places.ts';
import type { RulePlace } from './rule-places.ts';
import { maxCardinality, ruleScope } from './rule-scope.ts';
import type { RuleOptions, RuleScope } from './rule-scope.ts';

/** What the check of a schema's rules has to know of its surroundings. */
export interface RuleChecks extends Pick<RuleOptions, 'release'> {
  /** Was this expression in the definition before? Then everything that the server knows may be in it. */
  readonly isStored: (expression: string) => boolean;
  /** Is the schema at this path, and what is inside it, free of other faults? Else its rules are not looked at. */
  readonly isSound?: (path: string) => boolean;
  /** Schemas that were accepted before may be too dear, rule by rule. */
  readonly forgivesCost?: boolean;
}

/**
 * Checks the x-kubernetes-validations of a whole schema when a definition is written: that every expression compiles,
 * and that they cannot cost too much. `path` is that of the schema.
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
 */
export function checkRules(schema: JsonObject, path: string, checks: RuleChecks): readonly FieldError[] {
  const costs: ExpressionCost[] = [];
  const errors: FieldError[] = [];
  for (const site of sitesBelow(rootPlace(schema, path), checks)) {
    if ('type' in site) errors.push(site);
    else {
      const found = ruleErrors(site);
      append(errors, found.errors);
      append(costs, found.costs);
    }
  }
  return [...errors, ...totalCostErrors(costs, path)];
}

/**
 * The rules of a place and of all below it; what is inside comes first. An error stands for
 * those that cannot be looked at.
 */
function* sitesBelow(place: RulePlace, check: RuleChecks): Iterable<RuleSite | FieldError> {
  for (const child of childPlaces(place)) yield* sitesBelow(child, check);
  const rules = asList(place.schema['x-kubernetes-validations']).map(asObject);
  if (rules.length === 0 || check.isSound?.(place.path) === false) return;
  const scope = ruleScope(place.schema, place.isResource);
  if (scope === undefined) return yield untyped(place);
  for (const [index, rule] of rules.entries()) {
    yield { rule, path: `${place.path}.x-kubernetes-validations[${index}]`, place, scope, check };
  }
}

const untyped = ({ path }: RulePlace): FieldError => ({
  type: 'InternalError',
  field: `${path}.x-kubernetes-validations`,
  detail:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
});

interface RuleSite {
  readonly rule: JsonObject;
  readonly path: string;
  readonly place: RulePlace;
  readonly scope: RuleScope;
  readonly check: RuleChecks;
}

/** What is wrong with a rule and its message, and what they may cost. */
interface Findings {
  readonly errors: readonly FieldError[];
  readonly costs: readonly ExpressionCost[];
}

const nothing: Findings = { errors: [], costs: [] };

const alone = (error: FieldError): Findings => ({ errors: [error], costs: [] });

function ruleErrors(site: RuleSite): Findings {
  const { rule, path, scope, check, place } = site;
  const text = asString(rule['rule']);
  if (trimSpace(text) === '') return alone(required(`${path}.rule`, 'rule is not specified'));
  const { release } = check;
  const options = { release, stored: check.isStored(text), optionalOldSelf: rule['optionalOldSelf'] === true };
  const compilation = compileRule(scope, text, options);
  const field = `${path}.rule`;
  if (compilation.outcome === 'failed') {
    return {
      errors: [invalidValue(field, printedRule(rule), compilation.error), ...oldSelfErrors(site, false)],
      costs: [],
    };
  }
  const times = place.cardinality ?? maxCardinality(scope);
  const cost = { path: field, cost: repeated(compilation.rule.maxCost, times) };
  const message = messageErrors(site);
  return {
    errors: [
      ...costErrors(check, 'rule', cost),
      ...message.errors,
      ...oldSelfErrors(site, compilation.rule.usesOldSelf),
    ],
    costs: [cost, ...message.costs],
  };
}

function messageErrors({ rule, path, scope, check }: RuleSite): Findings {
  const text = asString(rule['messageExpression']);
  if (text === '') return nothing;
  const options = { stored: check.isStored(text), optionalOldSelf: rule['optionalOldSelf'] === true };
  const compilation = compileRuleMessage(scope, text, options);
  const field = `${path}.messageExpression`;
  if (compilation.outcome === 'failed') return alone(invalidValue(field, printedRule(rule), compilation.error));
  const cost = { path: field, cost: compilation.rule.maxCost };
  return { errors: costErrors(check, 'messageExpression', cost), costs: [cost] };
}

const costErrors = (
  { forgivesCost }: RuleChecks,
  kind: 'rule' | 'messageExpression',
  cost: ExpressionCost,
): readonly FieldError[] => (forgivesCost === true ? [] : expressionCostErrors(kind, cost));

function oldSelfErrors({ rule, path, place }: RuleSite, usesOldSelf: boolean): readonly FieldError[] {
  const { uncorrelatable } = place;
  const { optionalOldSelf } = rule;
  if (usesOldSelf) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return uncorrelatable === undefined ? [] : [invalidValue(`${path}.rule`, rule['rule'] ?? '', detail)];
  }
  if (typeof optionalOldSelf !== 'boolean') return [];
  const detail = 'may not be set if oldSelf is not used in rule';
  return [invalidValue(`${path}.optionalOldSelf`, optionalOldSelf, detail)];
}

/** The rule as Go prints the struct that holds it. */
const printedRule = (rule: JsonObject): JsonValue => ({
  Rule: asString(rule['rule']),
  Message: asString(rule['message']),
  MessageExpression: asString(rule['messageExpression']),
  Reason: rule['reason'] ?? null,
  FieldPath: asString(rule['fieldPath']),
  OptionalOldSelf: rule['optionalOldSelf'] ?? null,
});
