import { qualifiedName, walk } from './ast.ts';
import { parseExpression } from './parse-expression.ts';

/** Whether the expression reads this name, such as `request.operation`; false for an expression that cannot be parsed. */
export function readsName(expression: string, name: string): boolean {
  const tree = parseExpression(expression);
  let isRead = false;
  if (tree !== undefined)
    walk(tree, (part) => {
      isRead ||= qualifiedName(part) === name;
    });
  return isRead;
}
