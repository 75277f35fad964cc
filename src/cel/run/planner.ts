import type { Checked } from '../check/checker.ts';
import type { Expr } from '../syntax/ast.ts';
import { type Attribute, attributeStep, type Qualifier } from './attribute.ts';
import type { EvaluationStep } from './frame.ts';
import type { CelError, Value } from '../value/value.ts';

/** A planned part: its evaluation step, and what planning knows about it. */
export interface EvaluationPlan {
  readonly step: EvaluationStep;
  /** The value of a constant part, which costs nothing. */
  readonly constant?: { readonly value: Value };
  readonly attribute?: Attribute;
}

export interface Planner {
  readonly checked: Checked;
  /** Does every part report its value? */
  readonly observed: boolean;
  readonly plan: (expr: Expr) => EvaluationPlan;
  /** The slot of a variable of the environment. */
  readonly globalSlot: (name: string) => number;
  /** Assigns a slot to a variable of a loop while `body` is planned. */
  readonly withSlots: (names: readonly string[], body: (slots: readonly number[]) => EvaluationPlan) => EvaluationPlan;
  readonly localSlot: (name: string) => number | undefined;
  /** Reports that constant folding failed, which fails the whole program. */
  readonly failed: (error: CelError) => void;
}

export const constantPlan = (value: Value): EvaluationPlan => ({ step: () => value, constant: { value } });

export const attributePlan = (attribute: Attribute): EvaluationPlan => ({ step: attributeStep(attribute), attribute });

/** The attribute of a plan; any other value becomes the root of an attribute. Follows cel-go planner.go relativeAttr. */
export const toAttribute = ({ attribute, step }: EvaluationPlan): Attribute =>
  attribute ?? { root: step, rootCost: 1, qualifiers: [] };

export const qualifiedPlan = (attribute: Attribute, qualifier: Qualifier): EvaluationPlan =>
  attributePlan({ ...attribute, qualifiers: [...attribute.qualifiers, qualifier] });
