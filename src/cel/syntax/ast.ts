/** A constant as written: integers keep their 64 bits. */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** An expression; `id` finds its place in the text and its type. */
export type Expr =
  | ConstantExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | UnspecifiedExpr;

export interface ConstantExpr {
  readonly type: 'constant';
  readonly id: number;
  readonly constant: Constant;
}

export interface IdentExpr {
  readonly type: 'ident';
  readonly id: number;
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when `testOnly`. */
export interface SelectExpr {
  readonly type: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}

export interface CallExpr {
  readonly type: 'call';
  readonly id: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** `optional` holds the indices written with a `?`. */
export interface ListExpr {
  readonly type: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  readonly optional: readonly number[];
}

export interface MapEntryExpr {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly type: 'map';
  readonly id: number;
  readonly entries: readonly MapEntryExpr[];
}

export interface FieldEntry {
  readonly id: number;
  readonly field: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr {
  readonly type: 'struct';
  readonly id: number;
  readonly name: string;
  readonly entries: readonly FieldEntry[];
}

/** The expansion of a macro: a fold over `range`. Only the two-variable forms have `variable2`. */
export interface ComprehensionExpr {
  readonly type: 'comprehension';
  readonly id: number;
  readonly range: Expr;
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The placeholder of a syntax error. */
export interface UnspecifiedExpr {
  readonly type: 'unspecified';
  readonly id: number;
}

/** A parsed expression and the position of every id, in code points. */
export interface Ast {
  readonly root: Expr;
  readonly offsets: ReadonlyMap<number, number>;
}

/** The direct parts of an expression, in the order of evaluation. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.type) {
    case 'constant':
    case 'ident':
    case 'unspecified':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.entries.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

/** The arguments of a call, the receiver first. The prefix of a function with a dotted name only looks like a receiver. */
export function callArguments({ name, target, args }: CallExpr, functionName: string): readonly Expr[] {
  return target === undefined || name !== functionName ? args : [target, ...args];
}

/** Calls `visit` on the expression and everything in it. */
export function walk(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr);
  for (const child of childrenOf(expr)) walk(child, visit);
}

/** `a.b.c` when the expression consists of names and selections. Follows cel-go common/containers/container.go. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.type === 'ident') return expr.name;
  if (expr.type !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
