// Why a webhook or policy was skipped, with the values that decided.
import type { BranchCount } from '../../../cel/index.ts';

export type SkipReason =
  | { readonly because: 'no-rule-matched'; readonly nearest: RuleMismatch | null }
  | {
      readonly because: 'namespaceSelector';
      readonly wants: string;
      readonly namespace: string;
      readonly labels: Readonly<Record<string, string>>;
      /** The selector alone decided if the rules match. */
      readonly rulesMatch: boolean;
    }
  | {
      readonly because: 'objectSelector';
      readonly wants: string;
      readonly looked: readonly LookedAt[];
      /** The namespace's labels, where users often put them instead. */
      readonly namespaceLabels?: Readonly<Record<string, string>>;
      readonly rulesMatch: boolean;
    }
  | {
      readonly because: 'matchCondition';
      readonly condition: string;
      readonly expression: string;
      readonly values: readonly ExpressionValue[];
    }
  | { readonly because: 'matchCondition-error'; readonly error: string }
  | {
      readonly because: 'not-reinvoked';
      readonly detail: 'reinvocationPolicy-Never' | 'not-called-in-round-0' | 'nothing-changed-since';
    }
  | { readonly because: 'exempt'; readonly kind: string }
  /** A policy without a binding is never evaluated. */
  | { readonly because: 'not-bound' }
  /** An entry of excludeResourceRules matched. */
  | { readonly because: 'excluded'; readonly rule: number }
  /** paramRef found nothing and parameterNotFoundAction is Allow. */
  | { readonly because: 'no-params'; readonly wants: string };

/** The rule with the fewest parts that did not match. */
export interface RuleMismatch {
  readonly rule: number;
  readonly parts: readonly {
    readonly part: 'operation' | 'apiGroup' | 'apiVersion' | 'resource' | 'scope' | 'resourceName';
    readonly wants: readonly string[];
    readonly has: string;
  }[];
}

export interface LookedAt {
  readonly which: 'object' | 'oldObject';
  readonly kind: string;
  readonly name: string;
  /** null without metadata. */
  readonly labels: Readonly<Record<string, string>> | null;
}

/** The result of one matchCondition; all are evaluated, even after a false one. */
export type ConditionRecord =
  | (BranchCounts & { readonly condition: string; readonly result: 'true' })
  | (BranchCounts & {
      readonly condition: string;
      readonly result: 'false';
      readonly values: readonly ExpressionValue[];
    })
  | (BranchCounts & {
      readonly condition: string;
      readonly result: 'error';
      readonly error: string;
      readonly values: readonly ExpressionValue[];
    });

/** With `--coverage`: the branches of the expression. */
export interface BranchCounts {
  readonly branches?: readonly BranchCount[];
}

/** `object.metadata.labels.run` was `"no"`. */
export interface ExpressionValue {
  readonly expression: string;
  readonly value: string;
}
