import type { Ast, Expr } from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';
import type { Declared, Environment } from './environment.ts';
import { type TypeSolver, createTypeSolver } from './type-solver.ts';
import { dynType, messageTypeText, type Type } from './type.ts';

/** The resolution of a name or a call. */
export type Reference =
  | { readonly means: 'ident'; readonly declared: Declared }
  | { readonly means: 'local'; readonly name: string }
  | { readonly means: 'function'; readonly name: string; readonly overloads: readonly string[] };

/** The tools with which the parts of the checker work on one expression. */
export interface Checker {
  readonly environment: Environment;
  readonly solver: TypeSolver;
  readonly check: (expr: Expr) => void;
  readonly typeOf: (expr: Expr) => Type;
  readonly setType: (expr: Expr, type: Type) => void;
  readonly setReference: (expr: Expr, reference: Reference) => void;
  readonly lookup: (name: string) => { readonly type: Type; readonly reference: Reference } | undefined;
  readonly inScope: (variables: ReadonlyMap<string, Type>, body: () => void) => void;
  readonly report: (id: number, message: string) => void;
  /** Is the name that of a variable bound inside the expression? */
  readonly isLocal: (name: string) => boolean;
  readonly references: ReadonlyMap<number, Reference>;
  readonly finalType: (id: number) => Type;
}

/** A leading dot means the global name; the container is always empty in Kubernetes. */
export const withoutLeadingDot = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);

/** The types, references and errors found so far. */
const createCheckState = () => ({
  types: new Map<number, Type>(),
  references: new Map<number, Reference>(),
  solver: createTypeSolver(),
  reported: new Set<string>(),
});

export function createChecker(
  ast: Ast,
  environment: Environment,
  issues: Issues,
  checkExpr: (checker: Checker, expr: Expr) => void,
): Checker {
  const { types, references, solver, reported } = createCheckState();
  const scopes: ReadonlyMap<string, Type>[] = [];
  const local = (name: string): Type | undefined => scopes.findLast((scope) => scope.has(name))?.get(name);
  const checker: Checker = {
    environment,
    solver,
    check: (expr) => checkExpr(checker, expr),
    typeOf: (expr) => types.get(expr.id) ?? dynType,
    setType: (expr, type) => {
      types.set(expr.id, type);
    },
    setReference: (expr, reference) => {
      references.set(expr.id, reference);
    },
    lookup: (name) => {
      const type = local(name);
      if (type !== undefined) return { type, reference: { means: 'local', name } };
      const declared = environment.ident(withoutLeadingDot(name));
      return declared && { type: declared.type, reference: { means: 'ident', declared } };
    },
    inScope: (variables, body) => {
      scopes.push(variables);
      body();
      scopes.pop();
    },
    report: (id, message) => {
      const issue = `${id} ${message}`;
      if (reported.has(issue)) return;
      reported.add(issue);
      issues.atOffset(ast.offsets.get(id), message);
    },
    isLocal: (name) => local(name) !== undefined,
    references,
    finalType: (id) => solver.resolve(types.get(id) ?? dynType, true),
  };
  return checker;
}

// The texts of cel-go checker/errors.go.

export const reportUndeclared = (checker: Checker, id: number, name: string): void =>
  checker.report(id, `undeclared reference to '${name}' (in container '')`);

export const reportTypeMismatch = (checker: Checker, id: number, { expected, found }: Mismatch): void =>
  checker.report(id, mismatchText({ expected, found }));

export interface Mismatch {
  readonly expected: Type;
  readonly found: Type;
}

export const mismatchText = ({ expected, found }: Mismatch): string =>
  `expected type '${messageTypeText(expected)}' but found '${messageTypeText(found)}'`;

/** An expression with the type of every part and the meaning of every name. */
export interface Checked {
  readonly ast: Ast;
  readonly type: Type;
  readonly typeOf: (id: number) => Type;
  readonly references: ReadonlyMap<number, Reference>;
}
