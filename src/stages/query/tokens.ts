import { QueryFault } from './tree.ts';

const token =
  /\s+|#[^\n]*|("(?:[^"\\\n]|\\.)*"|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.[A-Za-z_]\w*|\.\.|[A-Za-z_]\w*|\/\/|==|!=|<=|>=|[.[\]()|,<>+\-*/%?;])/y;

/** The words and signs of a query. Throws QueryFault. */
export function tokensOf(source: string): readonly string[] {
  const tokens: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < source.length;) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (!found) throw new QueryFault(`${JSON.stringify(source.charAt(at))} is not supported`);
    if (found[1] !== undefined) tokens.push(found[1]);
  }
  return tokens;
}
