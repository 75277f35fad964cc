import { buildAst } from './build-ast.ts';
import { codePointLength } from './code-points.ts';
import { createIssues } from './issues.ts';
import { parseTree } from './parse-tree.ts';
import { ParserGaveUp, tooDeeplyNested } from './parser-gave-up.ts';
import { noLocation } from './source.ts';
import type { Ast } from './ast.ts';
import type { Issue, Issues } from './issues.ts';
import type { Expand } from './macro-fold.ts';
import type { Source } from './source.ts';

export type Parsing =
  | { readonly outcome: 'parsed'; readonly ast: Ast }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] };

const sizeLimit = 100_000;

/** Text to expression, macros expanded. `macros` is by macroKey. Follows cel-go parser/parser.go. */
export function parse(source: Source, macros: ReadonlyMap<string, Expand>): Parsing {
  const issues = createIssues(source);
  const size = codePointLength(source.text);
  if (size > sizeLimit) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`;
    return { outcome: 'invalid', issues: [{ location: noLocation, message }] };
  }
  const ast = attempt(() => astOf(source, macros, issues), issues);
  const found = issues.list();
  return ast === undefined || found.length > 0 ? { outcome: 'invalid', issues: found } : { outcome: 'parsed', ast };
}

const astOf = ({ text }: Source, macros: ReadonlyMap<string, Expand>, issues: Issues): Ast =>
  buildAst(parseTree(text, issues), macros, issues);

function attempt(build: () => Ast, issues: Issues): Ast | undefined {
  try {
    return build();
  } catch (error) {
    // The stack of a busy process may end a few levels before the limit does.
    const gaveUp = error instanceof RangeError ? new ParserGaveUp(tooDeeplyNested) : error;
    if (!(gaveUp instanceof ParserGaveUp)) throw error;
    if (gaveUp.message !== '') issues.at(noLocation, gaveUp.message);
    return undefined;
  }
}
