import type { Checked } from '../check/checked.ts';
import type { Expr } from '../syntax/ast.ts';
import { type Attribute, attributeStep, type Qualifier } from './attribute.ts';
import type { Step } from './frame.ts';
import type { Operations } from './operation.ts';
import type { CelError, Value } from '../value/value.ts';

/** A planned part: how to evaluate it, and what else is known of it before evaluation. */
export interface Plan {
  readonly step: Step;
  /** Set when the part is the same in every evaluation; then it costs nothing. */
  readonly constant?: { readonly value: Value };
  readonly attribute?: Attribute;
}

/** What the planners of the parts share. */
export interface Planner {
  readonly checked: Checked;
  readonly operations: Operations;
  /** Does every part report its value? */
  readonly observed: boolean;
  readonly plan: (expr: Expr) => Plan;
  /** The slot of a variable of the environment. */
  readonly globalSlot: (name: string) => number;
  /** Gives a variable of a loop its slot while `body` plans what is inside. */
  readonly withSlots: (names: readonly string[], body: (slots: readonly number[]) => Plan) => Plan;
  readonly localSlot: (name: string) => number | undefined;
  /** Reports that constant folding failed: the expression cannot be made into a program. */
  readonly failed: (error: CelError) => void;
}

export const constantPlan = (value: Value): Plan => ({ step: () => value, constant: { value } });

/** An attribute as a plan. */
export const attributePlan = (attribute: Attribute): Plan => ({ step: attributeStep(attribute), attribute });

/** The attribute of a plan; a value that is none becomes the root of one. Follows cel-go planner.go relativeAttr. */
export const attributeOf = ({ attribute, step }: Plan): Attribute =>
  attribute ?? { root: step, rootCost: 1, qualifiers: [] };

export const qualified = (attribute: Attribute, qualifier: Qualifier): Plan =>
  attributePlan({ ...attribute, qualifiers: [...attribute.qualifiers, qualifier] });
