import type { CallExpr, Constant, Expr } from './ast.ts';
import { quote } from './library/quote.ts';

/** The text of an expression, as it could have been written; undefined for what only a macro makes. */
export function unparse(expr: Expr): string | undefined {
  switch (expr.type) {
    case 'constant':
      return constantText(expr.constant);
    case 'ident':
      return expr.name.startsWith('@') ? undefined : expr.name;
    case 'select': {
      const operand = unparse(expr.operand);
      if (operand === undefined) return undefined;
      return expr.testOnly ? `has(${operand}.${expr.field})` : `${operand}.${expr.field}`;
    }
    case 'call':
      return callText(expr);
    case 'list':
      return joined(expr.elements, (texts) => `[${texts.join(', ')}]`);
    case 'map':
    case 'struct':
    case 'comprehension':
    case 'unspecified':
      return undefined;
  }
}

function constantText(constant: Constant): string {
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

function callText({ name, target, args }: CallExpr): string | undefined {
  if (target !== undefined) {
    const receiver = unparse(target);
    return receiver && joined(args, (texts) => `${receiver}.${name}(${texts.join(', ')})`);
  }
  return joined(args, (texts) => operatorText(name, texts) ?? `${name}(${texts.join(', ')})`);
}

function operatorText(name: string, texts: readonly string[]): string | undefined {
  const [a = '', b = '', c = ''] = texts;
  if (name === '_[_]') return `${a}[${b}]`;
  if (name === '_[?_]') return `${a}[?${b}]`;
  if (name === '_?._') return `${a}.?${b.slice(1, -1)}`;
  if (name === '_?:_') return `${a} ? ${b} : ${c}`;
  if (name === '@in') return `${a} in ${b}`;
  if (name === '!_' || name === '-_') return `${name[0]}${a}`;
  const operator = /^_(.+)_$/.exec(name)?.[1];
  return operator && `${a} ${operator} ${b}`;
}

function joined(exprs: readonly Expr[], text: (texts: readonly string[]) => string): string | undefined {
  const texts = exprs.map(unparse);
  return texts.every((part) => part !== undefined) ? text(texts) : undefined;
}
