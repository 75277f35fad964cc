// The one door to the engine: parse, check, compile, evaluate; Kubernetes' libraries come with it. Import it dynamically: it loads
// the parser and the regular expressions. Types and values alone are in vocabulary.ts.
export { compileAdmission, compileCondition } from './admission/type-check.ts';
export {
  toApplyConfiguration as configurationOf,
  toJsonPatchOperations as operationsOf,
} from './admission/mutation-value.ts';
export { checkTypes } from './admission/type-check.ts';
export { toClaimsValue as claimsValue, compileClaimsExpression } from './authentication/claims-expression.ts';
export { compileDeviceSelector } from './devices/device-selector.ts';
export type { DeviceSelection } from './devices/device-selector.ts';
export { compileReviewCondition } from './authorization/review-condition.ts';
export { compileRule, compileRuleMessage } from './crd/compile-rule.ts';
export { checkRules } from './crd/check-rules.ts';
export { evaluateRules, ruleVariables } from './crd/evaluate-rules.ts';
export { ruleScope } from './crd/rule-scope.ts';
export { evaluate } from './run/evaluate.ts';
export { evaluateWithin } from './run/evaluate.ts';
export { explainValues } from './run/explain.ts';
export { countBranches } from './run/branches.ts';
export { createMemoryBudget } from './run/frame.ts';
export { createVariables } from './run/evaluate.ts';
export { storedVersion } from './admission/admission-environment.ts';
export type { AdmissionEnvironmentOptions } from './admission/admission-environment.ts';
export type { TypedSubject } from './admission/type-check.ts';
export { createEnvironment } from './check/environment.ts';
export type { FieldsOf } from './check/environment.ts';
export type { CompiledRule } from './crd/compile-rule.ts';
export type { ValidationRule, UncompiledRule } from './crd/evaluate-rules.ts';
export type { RuleScope } from './crd/rule-scope.ts';
export type { CelAuthorizer, CelAuthorizerRequest, ServiceAccount } from './library/opaque-values.ts';
export { parseUrl } from './library/url.ts';
export type { BranchCount } from './run/branches.ts';
export { compile } from './run/compile.ts';
export type { Compilation, Compiled } from './run/compile.ts';
export type { CelEvaluation, EvaluationOptions, Variables } from './run/evaluate.ts';
export { explainTree } from './run/explain.ts';
export type { ExplainedExpression } from './run/explain.ts';
export type { LazyVariables } from './run/evaluate.ts';
export { parseExpression } from './syntax/parse.ts';
export { childrenOf, qualifiedName, walk } from './syntax/ast.ts';
export type { Expr } from './syntax/ast.ts';
export { readsField, readsName } from './syntax/parse.ts';
export { compileRegex } from './run/regex.ts';
export { readStrfmtDuration } from './value/time.ts';
export { readTimestamp } from './value/time.ts';
export { valueToBoundedJson as boundedJson, valueToJson as valueJson } from './value/value-json.ts';
