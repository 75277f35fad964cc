import { parseSync } from 'oxc-parser';

/** One change of a source text that a test should detect. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  /** The replacement. */
  readonly text: string;
  /** A property name: the switch selects between two names, not between two expressions. */
  readonly isName?: true;
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

/** The text before the result of a comparator: only the sign of that number matters. */
const beforeComparison = /[<>] [\w.+ ]+ \? -(?:1 : )?$/;

/** Every detectable mutant of a TypeScript file, by position. */
export function findMutants(path: string, source: string): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const isDetectable = ({ start }: Mutant): boolean =>
    !beforeComparison.test(source.slice(Math.max(0, start - 80), start));
  visit(parseSync(path, source).program, (node) => mutants.push(...mutateNode(node, source).filter(isDetectable)));
  return mutants.toSorted((a, b) => a.start - b.start);
}

export const applyMutant = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

/** `globalThis.isMutant(number)` activates it. */
export interface NumberedMutant extends Mutant {
  readonly number: number;
}

/** Inserts all mutants, each behind a switch: modules are loaded once for all, and a call of the switch shows coverage. */
export function insertMutants(source: string, mutants: readonly NumberedMutant[]): string {
  const insertions = mutants.flatMap((mutant) => createInsertions(source, mutant));
  // At the same position, the outer mutant opens first and closes last.
  const sorted = insertions.toSorted((a, b) => a.at - b.at || a.rank - b.rank);
  let result = '';
  let from = 0;
  for (const { at, text, skip } of sorted) {
    result += source.slice(from, at) + text;
    from = at + skip;
  }
  return result + source.slice(from);
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Number of characters of the source that are replaced. */
  readonly skip: number;
  readonly rank: number;
}

function createInsertions(source: string, { start, end, text, isName, number }: NumberedMutant): readonly Insertion[] {
  const isActive = `globalThis.isMutant?.(${number})`;
  if (isName) {
    const isOptional = source[start - 2] === '?';
    const at = isOptional ? start : start - 1;
    const either = `[${isActive} ? '${text}' : '${source.slice(start, end)}']`;
    return [{ at, text: either, skip: end - at, rank: 0 }];
  }
  return [
    { at: start, text: `(${isActive} ? (${text}) : (`, skip: 0, rank: source.length - end },
    { at: end, text: '))', skip: 0, rank: -start - 1 },
  ];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string';

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode);
  // Types are erased.
  if (!isNode(value) || /^TS(?!AsExpression|Satisfies|NonNull)|^Import/.test(value.type)) return;
  onNode(value);
  for (const [field, inner] of Object.entries(value)) {
    // A key is a name even where it is written as a number.
    if (typeof inner === 'object' && !(field === 'key' && value['computed'] === false)) visit(inner, onNode);
  }
}

function mutateNode(node: Node, source: string): readonly Mutant[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return replaceOperator(node, source);
    case 'UnaryExpression':
      return node['operator'] === '!' ? [replaceNode(node, source.slice(node.start + 1, node.end))] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return isNode(node['test']) ? [negate(node['test'], source)] : [];
    case 'Literal':
      return replaceLiteral(node);
    case 'MemberExpression':
      return replaceMethod(node);
    default:
      return [];
  }
}

const replaceNode = ({ start, end }: Node, text: string): Mutant => ({ start, end, text });

function replaceOperator(node: Node, source: string): readonly Mutant[] {
  const { left, right, operator } = node;
  const text = operators[String(operator)];
  if (!isNode(left) || !isNode(right) || text === undefined) return [];
  const at = source.indexOf(String(operator), left.end);
  const rest = source.slice(at + String(operator).length, node.end);
  return [replaceNode(node, source.slice(node.start, at) + text + rest)];
}

const negate = (node: Node, source: string): Mutant => replaceNode(node, `!(${source.slice(node.start, node.end)})`);

function replaceLiteral(node: Node): readonly Mutant[] {
  const { value } = node;
  if (typeof value === 'boolean') return [replaceNode(node, String(!value))];
  return typeof value === 'number' ? [replaceNode(node, String(value + 1))] : [];
}

function replaceMethod({ property, computed }: Node): readonly Mutant[] {
  if (computed === true || !isNode(property)) return [];
  const name = String(property['name']);
  const text = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return text === undefined ? [] : [{ start: property.start, end: property.end, text, isName: true }];
}
