import { type CallExpr, type Expr, qualifiedName, type SelectExpr } from '../syntax/ast.ts';
import type { Checker } from './checker.ts';
import {
  boolType,
  dynType,
  errorType,
  isDynOrError,
  messageTypeText,
  optionalType,
  type Type,
  unwrapOptional,
} from './type.ts';

/** `a.b`: a variable or type of that name, else a field. Follows cel-go checker/checker.go. */
export function checkSelect(checker: Checker, expr: SelectExpr): void {
  const name = qualifiedName(expr);
  const declared = name === undefined || startsWithLocal(checker, name) ? undefined : checker.lookup(name);
  if (declared !== undefined) {
    checker.setType(expr, declared.type);
    return checker.setReference(expr, declared.reference);
  }
  const type = resolveSelection(checker, expr, { operand: expr.operand, field: expr.field, optional: false });
  return checker.setType(expr, expr.testOnly ? boolType : checker.solver.resolve(type, false));
}

const startsWithLocal = (checker: Checker, name: string): boolean => checker.isLocal(name.slice(0, name.indexOf('.')));

/** `a.?b`. */
export function checkOptionalSelect(checker: Checker, expr: CallExpr): void {
  const [operand, name] = expr.args;
  if (operand === undefined || name?.type !== 'constant' || name.constant.type !== 'string') {
    checker.report(name?.id ?? expr.id, `unsupported optional field selection: ${name?.type ?? ''}`);
    return;
  }
  const type = resolveSelection(checker, expr, { operand, field: name.constant.value, optional: true });
  checker.setType(expr, checker.solver.resolve(type, false));
  checker.setReference(expr, { means: 'function', name: '_?._', overloads: ['select_optional_field'] });
}

interface Selection {
  readonly operand: Expr;
  readonly field: string;
  readonly optional: boolean;
}

function resolveSelection(checker: Checker, expr: Expr, { operand, field, optional }: Selection): Type {
  checker.check(operand);
  const operandType = checker.solver.resolve(checker.typeOf(operand), false);
  const unwrapped = unwrapOptional(operandType);
  const result = resolveField(checker, expr, { target: unwrapped ?? operandType, field });
  return unwrapped !== undefined || optional ? optionalType(result) : result;
}

interface FieldAccess {
  readonly target: Type;
  readonly field: string;
}

function resolveField(checker: Checker, expr: Expr, { target, field }: FieldAccess): Type {
  if (target.kind === 'map') return target.value;
  if (target.kind === 'struct') return structField(checker, expr.id, target.name, field) ?? errorType;
  if (target.kind === 'param') checker.solver.assignable(dynType, target);
  else if (!isDynOrError(target)) {
    checker.report(expr.id, `type '${messageTypeText(target)}' does not support field selection`);
  }
  return dynType;
}

/** The declared type of a field; reports an undefined field. */
export function structField(checker: Checker, id: number, struct: string, field: string): Type | undefined {
  const fields = checker.environment.structs(struct);
  const type = fields?.(field);
  // Only messages have fields. Follows cel-go checker/checker.go lookupFieldType.
  const problem = fields ? `undefined field '${field}'` : `unexpected failed resolution of '${struct}'`;
  if (type === undefined) checker.report(id, problem);
  return type;
}
