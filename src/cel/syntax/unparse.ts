import type { CallExpr, Constant, Expr, SelectExpr } from './ast.ts';
import { quote } from '../library/format-verbs.ts';

/** The source text of an expression; undefined for the expansion of a macro. */
export function unparse(expr: Expr): string | undefined {
  if (expr.type === 'constant') return unparseConstant(expr.constant);
  if (expr.type === 'ident') return expr.name.startsWith('@') ? undefined : expr.name;
  if (expr.type === 'select') return unparseSelect(expr);
  if (expr.type === 'call') return unparseCall(expr);
  return expr.type === 'list' ? unparseAll(expr.elements, (texts) => `[${texts.join(', ')}]`) : undefined;
}

function unparseSelect({ operand, field, testOnly }: SelectExpr): string | undefined {
  const text = unparse(operand);
  if (text === undefined) return undefined;
  return testOnly ? `has(${text}.${field})` : `${text}.${field}`;
}

function unparseConstant(constant: Constant): string {
  switch (constant.type) {
    case 'null':
      return 'null';
    case 'string':
      return quote(constant.value);
    case 'bytes':
      return 'b"…"';
    case 'uint':
      return `${constant.value}u`;
    case 'double':
    case 'bool':
    case 'int':
      return String(constant.value);
  }
}

function unparseCall({ name, target, args }: CallExpr): string | undefined {
  if (target !== undefined) {
    const receiver = unparse(target);
    return receiver && unparseAll(args, (texts) => `${receiver}.${name}(${texts.join(', ')})`);
  }
  return unparseAll(args, (texts) => operatorText(name, texts) ?? `${name}(${texts.join(', ')})`);
}

/** How the operators that have no two sides are written. */
const forms: ReadonlyMap<string, (a: string, b: string, c: string) => string> = new Map([
  ['_[_]', (a, b) => `${a}[${b}]`],
  ['_[?_]', (a, b) => `${a}[?${b}]`],
  ['_?._', (a, b) => `${a}.?${b.slice(1, -1)}`],
  ['_?_:_', (a, b, c) => `${a} ? ${b} : ${c}`],
  ['@in', (a, b) => `${a} in ${b}`],
  ['!_', (a) => `!${a}`],
  ['-_', (a) => `-${a}`],
]);

function operatorText(name: string, [a = '', b = '', c = '']: readonly string[]): string | undefined {
  const form = forms.get(name);
  if (form !== undefined) return form(a, b, c);
  const operator = /^_(.+)_$/.exec(name)?.[1];
  return operator && `${a} ${operator} ${b}`;
}

function unparseAll(exprs: readonly Expr[], text: (texts: readonly string[]) => string): string | undefined {
  const texts = exprs.map(unparse);
  return texts.every((part) => part !== undefined) ? text(texts) : undefined;
}
