import type { Expr } from './ast.ts';

/** A copy of the expression in which every id is replaced by what `renew` gives for it. */
export function copyExpr(expr: Expr, renew: (id: number) => number): Expr {
  const copy = (child: Expr): Expr => copyExpr(child, renew);
  const id = renew(expr.id);
  switch (expr.type) {
    case 'constant':
    case 'ident':
    case 'unspecified':
      return { ...expr, id };
    case 'select':
      return { ...expr, id, operand: copy(expr.operand) };
    case 'call':
      return {
        ...expr,
        id,
        target: expr.target === undefined ? undefined : copy(expr.target),
        args: expr.args.map(copy),
      };
    case 'list':
      return { ...expr, id, elements: expr.elements.map(copy) };
    case 'map':
      return {
        ...expr,
        id,
        entries: expr.entries.map((entry) => ({
          ...entry,
          id: renew(entry.id),
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      };
    case 'struct':
      return {
        ...expr,
        id,
        entries: expr.entries.map((entry) => ({ ...entry, id: renew(entry.id), value: copy(entry.value) })),
      };
    case 'comprehension':
      return {
        ...expr,
        id,
        range: copy(expr.range),
        init: copy(expr.init),
        condition: copy(expr.condition),
        step: copy(expr.step),
        result: copy(expr.result),
      };
  }
}
