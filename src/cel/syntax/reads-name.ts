import { type Expr, qualifiedName, walk } from './ast.ts';
import { parseExpression } from './parse.ts';

/** Whether the expression reads this name, such as `request.operation`; false for an expression that cannot be parsed. */
export const readsName = (expression: string, name: string): boolean =>
  hasPart(expression, (part) => qualifiedName(part) === name);

/** Whether the expression selects a field of this name from any value. */
export const readsField = (expression: string, field: string): boolean =>
  hasPart(expression, (part) => part.type === 'select' && part.field === field);

function hasPart(expression: string, wanted: (part: Expr) => boolean): boolean {
  const tree = parseExpression(expression);
  let isFound = false;
  if (tree !== undefined)
    walk(tree, (part) => {
      isFound ||= wanted(part);
    });
  return isFound;
}
