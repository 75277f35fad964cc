import { type CallExpr, childrenOf, type Expr, walk } from '../syntax/ast.ts';
import { type Checked, mismatchText } from './checker.ts';
import type { Issues } from '../syntax/issues.ts';
import { compileRegex } from '../run/regex.ts';
import { readDuration, readTimestamp, createTimestamp } from '../value/time.ts';
import { sameType, type Type, unwrapOptional, isDynOrError, typeName } from './type.ts';
import { CelError } from '../value/value.ts';
import { readFormat, tooFewArguments, tooManyArguments, wrongArgument } from '../library/format-verbs.ts';

/** The checks of literals that Kubernetes added in 1.29. Follows cel-go cel/validator.go. */
export function validateExpression(checked: Checked, issues: Issues): void {
  const report = (expr: Expr, message: string): void => issues.atOffset(checked.ast.offsets.get(expr.id), message);
  walk(checked.ast.root, (expr) => {
    if (expr.type === 'call') checkLiteralArgument(expr, report);
    if (expr.type === 'call') checkFormat(checked, expr, report);
  });
  checkHomogeneous(checked, checked.ast.root, report);
}

type Report = (expr: Expr, message: string) => void;

function checkLiteralArgument(expr: CallExpr, report: Report): void {
  const found = literalArgument(expr);
  if (found?.type !== 'constant') return;
  const { constant } = found;
  const isSound = constant.type === 'string' ? isValid(expr.name, constant.value) : expr.name !== 'duration';
  if (!isSound) report(found, `invalid ${expr.name} argument`);
}

/** In the function form, `matches` has its text first, which cel-go takes for the pattern. */
function literalArgument({ name, target, args }: CallExpr): Expr | undefined {
  if (name === 'duration' || name === 'timestamp') return target === undefined ? args[0] : undefined;
  return name === 'matches' ? args[0] : undefined;
}

function isValid(name: string, text: string): boolean {
  if (name === 'duration') return readDuration(text) !== undefined;
  if (name === 'matches') return !(compileRegex(text) instanceof CelError);
  const moment = readTimestamp(text);
  return moment !== undefined && !(createTimestamp(moment) instanceof CelError);
}

function checkFormat(checked: Checked, expr: CallExpr, report: Report): void {
  const [list] = expr.args;
  if (expr.name !== 'format' || expr.target?.type !== 'constant' || list?.type !== 'list') return;
  if (expr.target.constant.type !== 'string') return;
  const issue = findFormatIssue(expr.target.constant.value, list.elements, ({ id }) => checked.typeOf(id));
  if (issue === undefined) return;
  const { argument, message } = issue;
  report(argument ?? expr, argument === undefined ? message : `error during formatting: ${message}`);
}

/** Elements of a list, keys and values of a map have one type each, except in the arguments of `format`. */
function checkHomogeneous(checked: Checked, expr: Expr, report: Report): void {
  if (expr.type === 'call' && expr.name === 'format') return;
  if (expr.type === 'list') {
    const optional = new Set(expr.optional);
    const types = expr.elements.map((element, index) => elementType(checked, element, optional.has(index)));
    checkSame(expr.elements, types, report);
  }
  if (expr.type === 'map') {
    const keys = expr.entries.map(({ key }) => key);
    const values = expr.entries.map(({ value }) => value);
    checkSame(
      keys,
      keys.map(({ id }) => checked.typeOf(id)),
      report,
    );
    const types = expr.entries.map(({ value, optional }) => elementType(checked, value, optional));
    checkSame(values, types, report);
  }
  for (const child of childrenOf(expr)) checkHomogeneous(checked, child, report);
}

function elementType(checked: Checked, expr: Expr, optional: boolean): Type {
  const type = checked.typeOf(expr.id);
  return optional ? (unwrapOptional(type) ?? type) : type;
}

/** Complains about the first element whose type differs from that of the first. */
function checkSame(exprs: readonly Expr[], types: readonly Type[], report: Report): void {
  const [expected] = types;
  const index = expected === undefined ? -1 : types.findIndex((type) => !sameType(expected, type));
  const expr = exprs[index];
  const found = types[index];
  if (expected !== undefined && expr !== undefined && found !== undefined) {
    report(expr, mismatchText({ expected, found }));
  }
}

/** An error about a constant format string: about one of its arguments, or about the string itself. */
export interface FormatIssue {
  readonly argument: Expr | undefined;
  readonly message: string;
}

type TypeOf = (expr: Expr) => Type;

/** Checks a constant format string against the types of its arguments. Follows cel-go ext/formatting.go. */
export function findFormatIssue(format: string, args: readonly Expr[], typeOf: TypeOf): FormatIssue | undefined {
  let used = 0;
  for (const piece of readFormat(format)) {
    if (typeof piece === 'string') continue;
    const argument = args[used];
    const isFault = 'error' in piece;
    if (isFault && !piece.takesArgument) return { argument: undefined, message: piece.error };
    if (argument === undefined) return { argument: undefined, message: tooFewArguments(used) };
    if (isFault) return { argument: undefined, message: piece.error };
    const unaccepted = findUnacceptedPart(piece.verb, argument, typeOf);
    if (unaccepted !== undefined)
      return { argument: unaccepted, message: wrongArgument(piece.verb, typeName(typeOf(unaccepted))) };
    used += 1;
  }
  if (used >= args.length) return undefined;
  return { argument: undefined, message: tooManyArguments(used, args.length) };
}

const acceptedKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['s', 'list map int uint double bool string timestamp bytes duration type null'.split(' ')],
  ['d', ['int', 'uint']],
  ['f', ['double', 'string']], // A string may be Infinity.
  ['e', ['double', 'string']],
  ['b', ['int', 'uint', 'bool']],
  ['x', ['int', 'uint', 'string', 'bytes']],
  ['X', ['int', 'uint', 'string', 'bytes']],
  ['o', ['int', 'uint']],
]);

/** The part of an argument that the clause does not accept; `%s` checks the elements of list and map literals. */
function findUnacceptedPart(verb: string, argument: Expr, typeOf: TypeOf): Expr | undefined {
  const type = typeOf(argument);
  if (!isDynOrError(type) && acceptedKinds.get(verb)?.includes(type.kind) === false) return argument;
  if (verb !== 's') return undefined;
  const parts =
    argument.type === 'list'
      ? argument.elements
      : argument.type === 'map'
        ? argument.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const unaccepted = findUnacceptedPart(verb, part, typeOf);
    if (unaccepted !== undefined) return unaccepted;
  }
  return undefined;
}
