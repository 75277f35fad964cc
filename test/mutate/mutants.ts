import { parseSync } from 'oxc-parser';

/** One change of a source text that a test should notice. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly text: string;
}

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
};

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findIndex: 'findLastIndex',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Every change that can be made to the text of a TypeScript file, in the order of their places. */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  visit(parseSync(path, source).program, (node) => found.push(...mutantsAt(node, source)));
  return found.toSorted((one, other) => one.start - other.start);
}

/** The text with the mutant in it. */
export const mutated = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string';

function visit(value: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, seen);
  // Types are gone when the program runs.
  if (!isNode(value) || /^TS(?!AsExpression|Satisfies|NonNull)|^Import/.test(value.type)) return;
  seen(value);
  for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner, seen);
}

function mutantsAt(node: Node, source: string): readonly Mutant[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return exchanged(node, source);
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start: node.start, end: node.start + 1, text: '' }] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return isNode(node['test']) ? [negated(node['test'], source)] : [];
    case 'Literal':
      return literal(node);
    case 'MemberExpression':
      return renamed(node);
    default:
      return [];
  }
}

function exchanged(node: Node, source: string): readonly Mutant[] {
  const { left, right, operator } = node;
  const text = operators[String(operator)];
  if (!isNode(left) || !isNode(right) || text === undefined) return [];
  const start = source.indexOf(String(operator), left.end);
  return [{ start, end: start + String(operator).length, text }];
}

const negated = ({ start, end }: Node, source: string): Mutant => ({
  start,
  end,
  text: `!(${source.slice(start, end)})`,
});

function literal({ start, end, value }: Node): readonly Mutant[] {
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }];
  return typeof value === 'number' ? [{ start, end, text: String(value + 1) }] : [];
}

function renamed({ property, computed }: Node): readonly Mutant[] {
  if (computed === true || !isNode(property)) return [];
  const name = String(property['name']);
  const text = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return text === undefined ? [] : [{ start: property.start, end: property.end, text }];
}
