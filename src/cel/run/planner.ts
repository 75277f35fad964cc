import type { Checked } from '../check/checker.ts';
import type { Expr } from '../syntax/ast.ts';
import { type Attribute, attributeStep, type Qualifier } from './attribute.ts';
import type { EvaluationStep } from './frame.ts';
import type { CelError, Value } from '../value/value.ts';

/** A planned part: how to evaluate it, and what else is known of it before evaluation. */
export interface EvaluationPlan {
  readonly step: EvaluationStep;
  /** Set when the part is the same in every evaluation; then it costs nothing. */
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
  /** Gives a variable of a loop its slot while `body` plans what is inside. */
  readonly withSlots: (names: readonly string[], body: (slots: readonly number[]) => EvaluationPlan) => EvaluationPlan;
  readonly localSlot: (name: string) => number | undefined;
  /** Reports that constant folding failed: the expression cannot be made into a program. */
  readonly failed: (error: CelError) => void;
}

export const constantPlan = (value: Value): EvaluationPlan => ({ step: () => value, constant: { value } });

export const attributePlan = (attribute: Attribute): EvaluationPlan => ({ step: attributeStep(attribute), attribute });

/** The attribute of a plan; a value that is none becomes the root of one. Follows cel-go planner.go relativeAttr. */
export const toAttribute = ({ attribute, step }: EvaluationPlan): Attribute =>
  attribute ?? { root: step, rootCost: 1, qualifiers: [] };

export const qualifiedPlan = (attribute: Attribute, qualifier: Qualifier): EvaluationPlan =>
  attributePlan({ ...attribute, qualifiers: [...attribute.qualifiers, qualifier] });
