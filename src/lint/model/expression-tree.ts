import { parseExpression } from '../../cel/index.ts';
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
