import { type CallExpr, type Expr, qualifiedName } from '../syntax/ast.ts';
import { checkOptionalSelect } from './check-select.ts';
import { type Checker, reportTypeMismatch, reportUndeclared, withoutLeadingDot } from './checker.ts';
import type { Overload } from './declarations.ts';
import { instantiate } from './type-solver.ts';
import { boolType, dynType, errorType, isDyn, messageTypeText, sameType, type Type } from './type.ts';

/** A call: a global function, a function with a dotted name, or a member. Follows cel-go checker/checker.go. */
export function checkCall(checker: Checker, expr: CallExpr): void {
  if (expr.name === '_?._') return checkOptionalSelect(checker, expr);
  for (const arg of expr.args) checker.check(arg);
  const { target } = expr;
  if (target === undefined) return checkNamed(checker, expr, withoutLeadingDot(expr.name));
  const prefix = qualifiedName(target);
  const dotted = prefix === undefined ? undefined : `${withoutLeadingDot(prefix)}.${expr.name}`;
  if (dotted !== undefined && checker.environment.overloads(dotted)) return checkNamed(checker, expr, dotted);
  checker.check(target);
  return checkOverloads(checker, expr, { name: expr.name, args: [target, ...expr.args], member: true });
}

const checkNamed = (checker: Checker, expr: CallExpr, name: string): void =>
  checkOverloads(checker, expr, { name, args: expr.args, member: false });

interface Candidate {
  readonly name: string;
  readonly args: readonly Expr[];
  readonly member: boolean;
}

function checkOverloads(checker: Checker, expr: CallExpr, candidate: Candidate): void {
  const { name, args, member } = candidate;
  const overloads = checker.environment.overloads(name);
  if (overloads === undefined) {
    reportUndeclared(checker, expr.id, name);
    return checker.setType(expr, errorType);
  }
  const logical = name === '_&&_' || name === '_||_';
  const resolved = logical ? resolveLogical(checker, candidate) : resolveOverload(checker, candidate, overloads);
  if (resolved === undefined) {
    if (!logical) reportNoOverload(checker, expr, { name, args, member });
    return checker.setType(expr, errorType);
  }
  checker.setType(expr, resolved.type);
  return checker.setReference(expr, { means: 'function', name, overloads: resolved.ids });
}

interface Resolution {
  readonly type: Type;
  readonly ids: readonly string[];
}

/** `&&` and `||` complain about the operand that is no bool, not about the call. */
function resolveLogical(checker: Checker, { name, args }: Candidate): Resolution | undefined {
  let fits = true;
  for (const arg of args) {
    const argType = checker.typeOf(arg);
    if (checker.solver.assignable(argType, boolType)) continue;
    reportTypeMismatch(checker, arg.id, { expected: boolType, found: argType });
    fits = false;
  }
  return fits ? { type: boolType, ids: [name === '_&&_' ? 'logical_and' : 'logical_or'] } : undefined;
}

/** All overloads that fit; the result is dyn when they disagree. */
function resolveOverload(
  checker: Checker,
  { args, member }: Candidate,
  overloads: readonly Overload[],
): Resolution | undefined {
  const types = args.map(checker.typeOf);
  const ids: string[] = [];
  let result: Type | undefined;
  for (const overload of overloads) {
    if (overload.member !== member) continue;
    const fresh = new Map(overload.params.map((param) => [param, checker.solver.newVariable()]));
    const expected = overload.args.map((arg) => instantiate(arg, fresh));
    if (!checker.solver.allAssignable(types, expected)) continue;
    ids.push(overload.id);
    const type = checker.solver.resolve(instantiate(overload.result, fresh), false);
    if (result === undefined) result = type;
    else if (!isDyn(result) && !sameType(result, type)) result = dynType;
  }
  return result && { type: result, ids };
}

/** `found no matching overload for 'f' applied to 'string.(int)'`. */
function reportNoOverload(checker: Checker, expr: CallExpr, { name, args, member }: Candidate): void {
  const texts = args.map((arg) => messageTypeText(checker.solver.resolve(checker.typeOf(arg), true)));
  const [receiver, ...rest] = texts;
  const signature = member ? `${receiver}.(${rest.join(', ')})` : `(${texts.join(', ')})`;
  checker.report(expr.id, `found no matching overload for '${name}' applied to '${signature}'`);
}
