import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { compileRule, compileRuleMessage } from './compile-rule.ts';
import type { RuleCompilation } from './compile-rule.ts';
import { childPlaces, rootPlace } from './rule-places.ts';
import type { RulePlace } from './rule-places.ts';
import { ruleScope } from './rule-scope.ts';
import type { RuleOptions, RuleScope } from './rule-scope.ts';

/** The rules of a place of a schema, compiled before they are asked for. */
export interface CompiledAhead {
  readonly isResource: boolean;
  readonly scope: RuleScope | undefined;
  readonly rules: Map<string, RuleCompilation>;
}

/** Kept until they are asked for, once, or until nobody has the schema any more. */
const ahead = new WeakMap<JsonObject, CompiledAhead>();

/**
 * Compiles the rules of a schema, one a step, so that `checkRules` finds them done: who takes the steps can let others in
 * between two. `isStored` must be that of the check.
 */
export function* compileAhead(schema: JsonObject, isStored: (expression: string) => boolean): Generator<void, void> {
  yield* compileBelow(rootPlace(schema, ''), isStored);
}

function* compileBelow(place: RulePlace, isStored: (expression: string) => boolean): Generator<void, void> {
  for (const child of childPlaces(place)) yield* compileBelow(child, isStored);
  const { schema, isResource } = place;
  const rules = asList(schema['x-kubernetes-validations']).map(asObject);
  if (rules.length === 0) return;
  const scope = ruleScope(schema, isResource);
  const made: CompiledAhead = { isResource, scope, rules: new Map() };
  ahead.set(schema, made);
  if (scope === undefined) return;
  for (const rule of rules) {
    const optionalOldSelf = rule['optionalOldSelf'] === true;
    for (const kind of ['rule', 'messageExpression'] as const) {
      const text = asString(rule[kind]);
      if (text.trim() === '') continue;
      compiledOnce({ kind, text, scope, options: { stored: isStored(text), optionalOldSelf } }, made);
      yield;
    }
  }
}

/** What was compiled ahead for a place; it is forgotten. */
export function takeAhead({ schema, isResource }: RulePlace): CompiledAhead {
  const made = ahead.get(schema);
  ahead.delete(schema);
  if (made?.isResource === isResource) return made;
  return { isResource, scope: ruleScope(schema, isResource), rules: new Map() };
}

interface Expression {
  readonly kind: 'rule' | 'messageExpression';
  readonly text: string;
  readonly scope: RuleScope;
  readonly options: RuleOptions;
}

const compilers = { rule: compileRule, messageExpression: compileRuleMessage };

/** The compilation of an expression at a place, made at the first call. */
export function compiledOnce({ kind, text, scope, options }: Expression, { rules }: CompiledAhead): RuleCompilation {
  const key = `${kind} ${options.stored} ${options.optionalOldSelf} ${text}`;
  const made = rules.get(key) ?? compilers[kind](scope, text, options);
  rules.set(key, made);
  return made;
}
