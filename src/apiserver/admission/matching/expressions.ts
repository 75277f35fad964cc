import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type {
  AdmissionEnvironmentOptions,
  BranchCount,
  checkTypes,
  Compilation,
  toApplyConfiguration,
  DeviceSelection,
  toJsonPatchOperations,
} from '../../../cel/index.ts';
import type { Value } from '../../../cel/vocabulary.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { BranchCounts, ExpressionValue } from '../chain/skip-reason.ts';

export interface Expressions {
  /** `returns` lists the allowed result types; absent: any. */
  readonly compile: (
    text: string,
    environment: AdmissionEnvironmentOptions,
    returns?: readonly string[],
  ) => Compilation;
  /** `stored`: an earlier write accepted the text. */
  readonly compileSelector: (text: string, stored: boolean) => DeviceSelection;
  /**
   * Evaluates the expressions of one list; `composed` variables are evaluated on first use. When `isOver` becomes
   * true, evaluation fails with `operation interrupted`.
   */
  readonly evaluator: (
    variables: ExpressionVariables,
    composed?: ReadonlyMap<string, Compilation>,
    onVariable?: OnVariable,
    isOver?: () => boolean,
  ) => EvaluateExpression;
  /** Counting branches needs a second evaluation. */
  readonly countsBranches: boolean;
  /** `Object{…}` and `[JSONPatch{…}]` as JSON. */
  readonly toApplyConfiguration: typeof toApplyConfiguration;
  readonly toJsonPatchOperations: typeof toJsonPatchOperations;
  /** Type checks only; the result cannot be evaluated. */
  readonly checkTypes: typeof checkTypes;
}

/** Called after a variable is evaluated, where branches are counted. */
export type OnVariable = (variable: { readonly name: string; readonly branches: readonly BranchCount[] }) => void;

/** `budget`: the cost left for the whole list. */
export type EvaluateExpression = (expression: Compilation, budget: number) => ExpressionResult;

export interface ExpressionVariables {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  /** Lazy: built on first access. */
  readonly request: () => JsonObject;
  /** null for webhooks, and for cluster-scoped objects. */
  readonly namespaceObject: () => JsonValue;
  readonly params?: JsonValue;
  /** null without an authorizer. */
  readonly requester: Requester | null;
}

/** The user and request of the `authorizer` variable. */
export interface Requester {
  readonly request: AdmissionAttributes;
  readonly authorize: Authorize;
}

export type ExpressionResult =
  | (BranchCounts & {
      readonly outcome: 'value';
      readonly value: Value;
      readonly cost: number;
      readonly parts: ExplainParts;
    })
  /** `error` is CEL's text: `no such key: none`. */
  | (BranchCounts & {
      readonly outcome: 'error';
      readonly error: string;
      readonly cost: number;
      readonly parts: ExplainParts;
    })
  /** The text after `compilation error: `. */
  | { readonly outcome: 'uncompilable'; readonly error: string }
  | { readonly outcome: 'out-of-budget' };

export type ExplainParts = () => readonly ExpressionValue[];

export { outOfBudget } from '../../../cel/vocabulary.ts';

/** Follows apiserver pkg/admission/plugin/cel/activation.go (rules SEL-63, SEL-64). */
export function expressionError(
  text: string,
  { outcome, error }: Extract<ExpressionResult, { readonly error: string }>,
): string {
  return outcome === 'error' ? `expression '${text}' resulted in error: ${error}` : `compilation error: ${error}`;
}
