import { createEnvironment } from '../check/environment.ts';
import { storedVersion } from '../admission/admission-environment.ts';
import type { Expr } from './ast.ts';
import { parse } from './parse.ts';
import { createSource } from './source.ts';

/** The tree of an expression, macros expanded; undefined for one that cannot be parsed. Names and types are not looked at. */
export function parseExpression(text: string): Expr | undefined {
  const { macros } = createEnvironment({ version: storedVersion, variables: new Map() });
  const parsing = parse(createSource(text), macros);
  return parsing.outcome === 'parsed' ? parsing.ast.root : undefined;
}
