import { parseExpression, qualifiedName, walk } from '../../cel/index.ts';
import type { Expr } from '../../cel/index.ts';

/** Several rules look at the same expressions. */
const mostKept = 5000;
const known = new Map<string, { readonly tree: Expr | undefined }>();

/** The tree of an expression, read once; undefined for one that cannot be parsed. */
export function treeOf(expression: string): Expr | undefined {
  const found = known.get(expression);
  if (found) return found.tree;
  const tree = parseExpression(expression);
  if (known.size >= mostKept) known.clear();
  known.set(expression, { tree });
  return tree;
}

/** Does the expression read this name, such as `request.operation`? */
export function readsName(expression: string, name: string): boolean {
  const tree = treeOf(expression);
  let isRead = false;
  if (tree !== undefined)
    walk(tree, (part) => {
      isRead ||= qualifiedName(part) === name;
    });
  return isRead;
}
