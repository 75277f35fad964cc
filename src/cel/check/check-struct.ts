import type { FieldEntry, StructExpr } from '../syntax/ast.ts';
import { structField } from './check-select.ts';
import { typeMismatch, undeclared, withoutLeadingDot } from './checker.ts';
import type { Checker } from './checker.ts';
import { errorType, isDyn, messageTypeText, optionalType, typeText, unwrapOptional } from './type.ts';
import type { Type } from './type.ts';

/** `Name{field: value}`. Follows cel-go checker/checker.go. */
export function checkStruct(checker: Checker, expr: StructExpr): void {
  const type = structTypeOf(checker, expr);
  checker.setType(expr, type ?? errorType);
  if (type === undefined) return;
  for (const entry of expr.entries) checkField(checker, type, entry);
}

/** The type of that name; undefined when there is none, and then the fields are not looked at. */
function structTypeOf(checker: Checker, expr: StructExpr): Type | undefined {
  const found = checker.lookup(expr.name);
  if (found === undefined) {
    undeclared(checker, expr.id, withoutLeadingDot(expr.name));
    return undefined;
  }
  if (found.type.kind !== 'type') {
    checker.complain(expr.id, `'${typeText(found.type)}' is not a type`);
    return errorType;
  }
  const { of } = found.type;
  checker.setReference(expr, found.reference);
  if (of?.kind === 'struct') return of;
  checker.complain(expr.id, `'${of === undefined ? '' : typeText(of)}' is not a message type`);
  return errorType;
}

function checkField(checker: Checker, struct: Type, { id, field, value, optional }: FieldEntry): void {
  checker.check(value);
  if (struct.kind !== 'struct') return;
  const expected = structField(checker, id, struct.name, field) ?? errorType;
  const found = fieldValueType(checker, value.id, checker.typeOf(value), optional);
  if (checker.solver.assignable(expected, found)) return;
  checker.complain(
    id,
    `expected type of field '${field}' is '${messageTypeText(expected)}' but provided type is '${messageTypeText(found)}'`,
  );
}

function fieldValueType(checker: Checker, id: number, type: Type, optional: boolean): Type {
  if (!optional) return type;
  const unwrapped = unwrapOptional(type);
  if (unwrapped === undefined && !isDyn(type)) {
    typeMismatch(checker, id, { expected: optionalType(type), found: type });
  }
  return unwrapped ?? type;
}
