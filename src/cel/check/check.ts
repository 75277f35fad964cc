import type {
  Ast,
  ComprehensionExpr,
  Constant,
  Expr,
  FieldEntry,
  IdentExpr,
  ListExpr,
  MapExpr,
  StructExpr,
} from '../syntax/ast.ts';
import { createIssues, type Issue } from '../syntax/issues.ts';
import type { Source } from '../syntax/source-text.ts';
import { checkCall } from './check-call.ts';
import { checkSelect, structField } from './check-select.ts';
import {
  type Checked,
  type Checker,
  createChecker,
  reportTypeMismatch,
  reportUndeclared,
  withoutLeadingDot,
} from './checker.ts';
import type { Environment } from './environment.ts';
import { moreGeneral } from './type-solver.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  intType,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  messageTypeText,
  nullType,
  optionalType,
  stringType,
  type Type,
  typeText,
  uintType,
  unwrapOptional,
} from './type.ts';
import { validateExpression } from './validate.ts';

export type Checking =
  | { readonly outcome: 'checked'; readonly checked: Checked }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] };

/** Gives every part of the expression its type, then validates literals. Follows cel-go checker/checker.go. */
export function check(ast: Ast, source: Source, environment: Environment): Checking {
  const issues = createIssues(source);
  const checker = createChecker(ast, environment, issues, checkExpr);
  checker.check(ast.root);
  const { references, finalType } = checker;
  const checked = { ast, references, type: finalType(ast.root.id), typeOf: finalType };
  const isSound = issues.list().length === 0;
  if (isSound && environment.checksLiterals) validateExpression(checked, issues);
  return issues.list().length > 0 ? { outcome: 'invalid', issues: issues.list() } : { outcome: 'checked', checked };
}

function checkExpr(checker: Checker, expr: Expr): void {
  switch (expr.type) {
    case 'constant':
      return checker.setType(expr, constantTypes[expr.constant.type]);
    case 'ident':
      return checkIdent(checker, expr);
    case 'select':
      return checkSelect(checker, expr);
    case 'call':
      return checkCall(checker, expr);
    case 'list':
      return checkList(checker, expr);
    case 'map':
      return checkMap(checker, expr);
    case 'struct':
      return checkStruct(checker, expr);
    case 'comprehension':
      return checkComprehension(checker, expr);
    case 'unspecified':
      return checker.setType(expr, errorType);
  }
}

const constantTypes: Readonly<Record<Constant['type'], Type>> = {
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
};

function checkIdent(checker: Checker, expr: IdentExpr): void {
  const resolved = checker.lookup(expr.name);
  if (resolved === undefined) {
    reportUndeclared(checker, expr.id, withoutLeadingDot(expr.name));
    return checker.setType(expr, errorType);
  }
  checker.setType(expr, resolved.type);
  return checker.setReference(expr, resolved.reference);
}

/** The type of an element; one written with `?` must be optional. */
function elementType(checker: Checker, expr: Expr, optional: boolean): Type {
  checker.check(expr);
  const type = checker.typeOf(expr);
  if (!optional) return type;
  const unwrapped = unwrapOptional(type);
  if (unwrapped === undefined && !isDyn(type)) {
    reportTypeMismatch(checker, expr.id, { expected: optionalType(type), found: type });
  }
  return unwrapped ?? type;
}

function checkList(checker: Checker, expr: ListExpr): void {
  let joined: Type | undefined;
  const optional = new Set(expr.optional);
  for (const [index, element] of expr.elements.entries()) {
    joined = joinTypes(checker, element, joined, elementType(checker, element, optional.has(index)));
  }
  checker.setType(expr, listType(joined ?? checker.solver.newVariable()));
}

function checkMap(checker: Checker, expr: MapExpr): void {
  let keys: Type | undefined;
  let values: Type | undefined;
  for (const { key, value, optional } of expr.entries) {
    checker.check(key);
    keys = joinTypes(checker, key, keys, checker.typeOf(key));
    values = joinTypes(checker, value, values, elementType(checker, value, optional));
  }
  checker.setType(expr, mapType(keys ?? checker.solver.newVariable(), values ?? checker.solver.newVariable()));
}

/** Elements of different types make a list of dyn; the validator refuses it, as Kubernetes does. */
function joinTypes(checker: Checker, _expr: Expr, previous: Type | undefined, current: Type): Type {
  if (previous === undefined) return current;
  return checker.solver.assignable(previous, current) ? moreGeneral(previous, current) : dynType;
}

function checkComprehension(checker: Checker, expr: ComprehensionExpr): void {
  checker.check(expr.range);
  checker.check(expr.init);
  const accumulated = checker.typeOf(expr.init);
  const [first, second] = loopTypes(checker, expr);
  checker.inScope(new Map([[expr.accumulator, accumulated]]), () => {
    const variables = new Map([[expr.variable, first]]);
    if (expr.variable2 !== undefined) variables.set(expr.variable2, second);
    checker.inScope(variables, () => {
      checker.check(expr.condition);
      assertType(checker, expr.condition, boolType);
      checker.check(expr.step);
      assertType(checker, expr.step, accumulated);
    });
    checker.check(expr.result);
  });
  checker.setType(expr, checker.solver.resolve(checker.typeOf(expr.result), false));
}

/** The types of the one or two variables of a loop over this range. */
function loopTypes(checker: Checker, { range, variable2 }: ComprehensionExpr): readonly [Type, Type] {
  const type = checker.solver.resolve(checker.typeOf(range), false);
  if (type.kind === 'list') return variable2 === undefined ? [type.element, dynType] : [intType, type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if ((isDynOrError(type) && type.kind !== 'any') || type.kind === 'param') {
    checker.solver.assignable(dynType, type);
    return [dynType, dynType];
  }
  checker.report(
    range.id,
    `expression of type '${messageTypeText(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  );
  return [errorType, errorType];
}

function assertType(checker: Checker, expr: Expr, expected: Type): void {
  const found = checker.typeOf(expr);
  if (!checker.solver.assignable(expected, found)) reportTypeMismatch(checker, expr.id, { expected, found });
}

/** `Name{field: value}`. Follows cel-go checker/checker.go. */
function checkStruct(checker: Checker, expr: StructExpr): void {
  const type = resolveStructType(checker, expr);
  checker.setType(expr, type ?? errorType);
  if (type === undefined) return;
  for (const entry of expr.entries) checkField(checker, type, entry);
}

/** The type of that name; undefined when there is none, and then the fields are not checked. */
function resolveStructType(checker: Checker, expr: StructExpr): Type | undefined {
  const found = checker.lookup(expr.name);
  if (found === undefined) {
    reportUndeclared(checker, expr.id, withoutLeadingDot(expr.name));
    return undefined;
  }
  if (found.type.kind !== 'type') {
    checker.report(expr.id, `'${typeText(found.type)}' is not a type`);
    return errorType;
  }
  const { of } = found.type;
  checker.setReference(expr, found.reference);
  if (of?.kind === 'struct') return of;
  checker.report(expr.id, `'${of === undefined ? '' : typeText(of)}' is not a message type`);
  return errorType;
}

function checkField(checker: Checker, struct: Type, { id, field, value, optional }: FieldEntry): void {
  checker.check(value);
  if (struct.kind !== 'struct') return;
  const expected = structField(checker, id, struct.name, field) ?? errorType;
  const found = fieldValueType(checker, value.id, checker.typeOf(value), optional);
  if (checker.solver.assignable(expected, found)) return;
  checker.report(
    id,
    `expected type of field '${field}' is '${messageTypeText(expected)}' but provided type is '${messageTypeText(found)}'`,
  );
}

function fieldValueType(checker: Checker, id: number, type: Type, optional: boolean): Type {
  if (!optional) return type;
  const unwrapped = unwrapOptional(type);
  if (unwrapped === undefined && !isDyn(type)) {
    reportTypeMismatch(checker, id, { expected: optionalType(type), found: type });
  }
  return unwrapped ?? type;
}
