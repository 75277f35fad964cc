// Why a webhook or policy was not asked, and what was looked at to find out.
import type { BranchCount } from '../../../cel/index.ts';

export type SkipReason =
  | { readonly because: 'no-rule-matched'; readonly nearest: RuleMismatch | null }
  | {
      readonly because: 'namespaceSelector';
      readonly wants: string;
      readonly namespace: string;
      readonly labels: Readonly<Record<string, string>>;
      /** Would its rules have matched? Then the selector alone decided. */
      readonly rulesMatch: boolean;
    }
  | {
      readonly because: 'objectSelector';
      readonly wants: string;
      readonly looked: readonly LookedAt[];
      /** Of a webhook that the selector alone kept away: the labels of the namespace, where people put them too. */
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
  /** The binding's paramRef found nothing, and parameterNotFoundAction is Allow. */
  | { readonly because: 'no-params'; readonly wants: string };

/** The rule that matched in all parts but these; fewest first. */
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
  /** null: it has no metadata to look at. */
  readonly labels: Readonly<Record<string, string>> | null;
}

/** What one matchCondition came to. All are evaluated, also after a false one. */
export type ConditionRecord =
  | (Counted & { readonly condition: string; readonly result: 'true' })
  | (Counted & { readonly condition: string; readonly result: 'false'; readonly values: readonly ExpressionValue[] })
  | (Counted & {
      readonly condition: string;
      readonly result: 'error';
      readonly error: string;
      readonly values: readonly ExpressionValue[];
    });

/** With `--coverage`: what each deciding part of the expression came to. */
export interface Counted {
  readonly branches?: readonly BranchCount[];
}

/** A part of an expression and what it was: `object.metadata.labels.run` was `"no"`. */
export interface ExpressionValue {
  readonly expression: string;
  readonly value: string;
}
