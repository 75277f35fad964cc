import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type {
  AdmissionEnvironmentOptions,
  BranchCount,
  checkTypes,
  Compilation,
  configurationOf,
  DeviceSelection,
  operationsOf,
} from '../../../cel/index.ts';
import type { Value } from '../../../cel/vocabulary.ts';
import type { AuthorizeNow } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { Counted, ExpressionValue } from '../chain/skip-reason.ts';

/** What conditions and policies need of expressions: each compiled once for its environment, then evaluated. */
export interface Expressions {
  /** `returns` are the types the result may have; any, when it is absent. */
  readonly compile: (
    text: string,
    environment: AdmissionEnvironmentOptions,
    returns?: readonly string[],
  ) => Compilation;
  /** Compiles what selects devices; `stored`: was it accepted by an earlier write? */
  readonly compileSelector: (text: string, stored: boolean) => DeviceSelection;
  /**
   * Evaluates the expressions of one list; `composed` are its `variables`, evaluated when first used, at most once. One that
   * still goes on when `isOver` ends with `operation interrupted`.
   */
  readonly evaluator: (
    variables: ExpressionVariables,
    composed?: ReadonlyMap<string, Compilation>,
    told?: TellVariable,
    isOver?: () => boolean,
  ) => EvaluateExpression;
  /** Does every result tell its branches? That takes a second evaluation. */
  readonly countsBranches: boolean;
  /** What `Object{…}` and `[JSONPatch{…}]` came to, as JSON. */
  readonly configurationOf: typeof configurationOf;
  readonly operationsOf: typeof operationsOf;
  /** Compiles against typed objects, only to say what is wrong. */
  readonly checkTypes: typeof checkTypes;
}

/** Is told of each of the `variables` once it has been evaluated, where branches are counted. */
export type TellVariable = (variable: { readonly name: string; readonly branches: readonly BranchCount[] }) => void;

/** `budget` is what is left for the whole list. */
export type EvaluateExpression = (expression: Compilation, budget: number) => ExpressionResult;

/** What expressions may name. `authorizer` is made by the engine out of `asker`. */
export interface ExpressionVariables {
  readonly object: JsonValue;
  readonly oldObject: JsonValue;
  /** Made when an expression first asks for it, as the namespace is. */
  readonly request: () => JsonObject;
  /** null for webhooks, and for cluster-scoped objects. */
  readonly namespaceObject: () => JsonValue;
  readonly params?: JsonValue;
  /** null where there is no authorizer. */
  readonly asker: Asker | null;
}

/** Whose permissions `authorizer` asks about, and the request that `authorizer.requestResource` is preset with. */
export interface Asker {
  readonly request: AdmissionAttributes;
  readonly authorize: AuthorizeNow;
}

export type ExpressionResult =
  | (Counted & { readonly outcome: 'value'; readonly value: Value; readonly cost: number; readonly parts: Parts })
  /** `error` is CEL's own text: `no such key: none`. */
  | (Counted & { readonly outcome: 'error'; readonly error: string; readonly cost: number; readonly parts: Parts })
  /** The text after `compilation error: `. */
  | { readonly outcome: 'uncompilable'; readonly error: string }
  | { readonly outcome: 'out-of-budget' };

/** What the parts of the expression were, where they explain something: nothing of one that holds. */
export type Parts = () => readonly ExpressionValue[];

export { outOfBudget } from '../../../cel/vocabulary.ts';

/** The error of an expression as upstream words it. Follows apiserver pkg/admission/plugin/cel/activation.go (rules SEL-63, SEL-64). */
export function expressionError(
  text: string,
  { outcome, error }: Extract<ExpressionResult, { readonly error: string }>,
): string {
  return outcome === 'error' ? `expression '${text}' resulted in error: ${error}` : `compilation error: ${error}`;
}
