// The one entry to the engine. Import it dynamically: it loads the parser and the regular expressions.
export { compileAdmission, compileCondition } from './admission/condition.ts';
export { configurationOf, operationsOf } from './admission/mutation-value.ts';
export { checkTypes } from './admission/type-check.ts';
export { compileOverSelf } from './crd/compile-over-self.ts';
export { compileRule, compileRuleMessage } from './crd/compile-rule.ts';
export { checkRules } from './crd/check-rules.ts';
export { evaluateRules, ruleVariables } from './crd/evaluate-rules.ts';
export { ruleScope } from './crd/rule-scope.ts';
export { evaluate } from './run/evaluate.ts';
export { evaluateWithin } from './run/evaluate-within.ts';
export { explain } from './run/explain.ts';
export { countBranches } from './run/branches.ts';
export { createVariables } from './run/lazy-variables.ts';
