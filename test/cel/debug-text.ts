import { goQuote } from '../../src/machinery/meta/field-error.ts';
import type { Constant, Expr } from '../../src/cel/syntax/ast.ts';
import { goFloat } from '../../src/machinery/go/strconv.ts';

/** The expression in the form of cel-go's debug strings, each part with its Go type. */
export const debugText = (expr: Expr): string => text(expr, '');

function text(expr: Expr, indent: string): string {
  const inner = `${indent}  `;
  const child = (part: Expr): string => text(part, indent);
  const block = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0
      ? `${open}${close}`
      : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
  switch (expr.type) {
    case 'constant':
      return `${constantText(expr.constant)}^#*expr.Constant_${constantNames[expr.constant.type]}#`;
    case 'ident':
      return `${expr.name}^#*expr.Expr_IdentExpr#`;
    case 'select':
      return `${child(expr.operand)}.${expr.field}${expr.testOnly ? '~test-only~' : ''}^#*expr.Expr_SelectExpr#`;
    case 'call': {
      const receiver = expr.target === undefined ? '' : `${child(expr.target)}.`;
      const args = expr.args.map((arg) => text(arg, inner));
      return `${receiver}${block(`${expr.name}(`, args, ')')}^#*expr.Expr_CallExpr#`;
    }
    case 'list': {
      const parts = expr.elements.map((part, index) => (expr.optional.includes(index) ? '?' : '') + text(part, inner));
      return `${block('[', parts, ']')}^#*expr.Expr_ListExpr#`;
    }
    case 'map': {
      const parts = expr.entries.map(
        ({ key, value, optional }) => `${optional ? '?' : ''}${text(key, inner)}:${text(value, inner)}${entry}`,
      );
      return `${block('{', parts, '}')}^#*expr.Expr_StructExpr#`;
    }
    case 'struct': {
      const parts = expr.entries.map(
        ({ field, value, optional }) => `${optional ? '?' : ''}${field}:${text(value, inner)}${entry}`,
      );
      return `${block(`${expr.name}{`, parts, '}')}^#*expr.Expr_StructExpr#`;
    }
    case 'comprehension':
      return comprehensionText(expr, indent);
    case 'unspecified':
      return '';
  }
}

const entry = '^#*expr.Expr_CreateStruct_Entry#';

function comprehensionText(expr: Extract<Expr, { type: 'comprehension' }>, indent: string): string {
  const inner = `${indent}  `;
  const part = (name: string, value: string): string => `${inner}// ${name}\n${inner}${value}`;
  const parts = [
    part('Variable', expr.variable),
    ...(expr.variable2 === undefined ? [] : [part('Variable2', expr.variable2)]),
    part('Target', text(expr.range, inner)),
    part('Accumulator', expr.accumulator),
    part('Init', text(expr.init, inner)),
    part('LoopCondition', text(expr.condition, inner)),
    part('LoopStep', text(expr.step, inner)),
    part('Result', text(expr.result, inner)),
  ];
  return `__comprehension__(\n${parts.join(',\n')})^#*expr.Expr_ComprehensionExpr#`;
}

const constantNames: Readonly<Record<Constant['type'], string>> = {
  null: 'NullValue',
  bool: 'BoolValue',
  int: 'Int64Value',
  uint: 'Uint64Value',
  double: 'DoubleValue',
  string: 'StringValue',
  bytes: 'BytesValue',
};

function constantText(constant: Constant): string {
  if (constant.type === 'null') return 'null';
  if (constant.type === 'uint') return `${constant.value}u`;
  if (constant.type === 'double') return goFloat(constant.value);
  if (constant.type === 'string') return goQuote(constant.value);
  if (constant.type === 'bytes') return `b${goQuote(Buffer.from(constant.value).toString('utf8'))}`;
  return String(constant.value);
}
