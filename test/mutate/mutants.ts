import { parseSync } from 'oxc-parser';

/** One change of a source text that a test should notice. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly text: string;
  /** A name after a dot: only the names can be told apart there, not whole expressions. */
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

/** Whoever sorts asks for the sign alone: the number before which this stands may be any other. */
const asksForSign = /[<>] [\w.+ ]+ \? -(?:1 : )?$/;

/** Every change that can be made to the text of a TypeScript file and could be noticed, in the order of their places. */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const canBeNoticed = ({ start }: Mutant): boolean => !asksForSign.test(source.slice(Math.max(0, start - 80), start));
  visit(parseSync(path, source).program, (node) => found.push(...mutantsAt(node, source).filter(canBeNoticed)));
  return found.toSorted((one, other) => one.start - other.start);
}

/** The text with the mutant in it. */
export const mutated = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

/** A mutant, and the number by which it is switched on. */
export interface Numbered extends Mutant {
  readonly number: number;
}

/**
 * The text with all these mutants in it, each of which does nothing until `globalThis.isMutant` says yes to its number: so modules
 * are read once for all of them, and it is known which of them a test came by.
 */
export function withSwitches(source: string, mutants: readonly Numbered[]): string {
  const inserted = mutants.flatMap((mutant) => insertedFor(source, mutant));
  // Of two that stand at one place, the outer one is opened first and closed last.
  const sorted = inserted.toSorted((one, other) => one.at - other.at || one.rank - other.rank);
  let done = '';
  let from = 0;
  for (const { at, text, skip } of sorted) {
    done += source.slice(from, at) + text;
    from = at + skip;
  }
  return done + source.slice(from);
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** So many characters of the source are left out here. */
  readonly skip: number;
  readonly rank: number;
}

function insertedFor(source: string, { start, end, text, isName, number }: Numbered): readonly Insertion[] {
  const asked = `globalThis.isMutant?.(${number})`;
  if (isName) {
    const isOptional = source[start - 2] === '?';
    const at = isOptional ? start : start - 1;
    const either = `[${asked} ? '${text}' : '${source.slice(start, end)}']`;
    return [{ at, text: either, skip: end - at, rank: 0 }];
  }
  return [
    { at: start, text: `(${asked} ? (${text}) : (`, skip: 0, rank: source.length - end },
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

function visit(value: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, seen);
  // Types are gone when the program runs.
  if (!isNode(value) || /^TS(?!AsExpression|Satisfies|NonNull)|^Import/.test(value.type)) return;
  if (onlyLetsOthersIn(value)) return;
  seen(value);
  for (const [field, inner] of Object.entries(value)) {
    // A key is a name even where it is written as a number.
    if (typeof inner === 'object' && !(field === 'key' && value['computed'] === false)) visit(inner, seen);
  }
}

/** An `if` that does nothing but wait a turn, and changes nothing when it asks: whatever it asks, the same comes of it. */
function onlyLetsOthersIn({ type, test, consequent, alternate }: Node): boolean {
  return type === 'IfStatement' && alternate === null && isTurn(consequent) && !changesSomething(test);
}

/** `yield` without a value, or `await pause?.()`. */
function isTurn(act: unknown): boolean {
  if (!isNode(act)) return false;
  if (act.type === 'BlockStatement')
    return Array.isArray(act['body']) && act['body'].length === 1 && isTurn(act['body'][0]);
  const waiting = act['expression'];
  if (act.type !== 'ExpressionStatement' || !isNode(waiting)) return false;
  if (waiting.type === 'YieldExpression') return waiting['argument'] === null;
  return waiting.type === 'AwaitExpression' && isPause(waiting['argument']);
}

function isPause(call: unknown): boolean {
  if (!isNode(call)) return false;
  if (call.type === 'ChainExpression') return isPause(call['expression']);
  return call.type === 'CallExpression' && isNode(call['callee']) && call['callee']['name'] === 'pause';
}

function changesSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(changesSomething);
  if (!isNode(value)) return false;
  return (
    /^(?:Assignment|Update|Await|Yield)Expression$/.test(value.type) || Object.values(value).some(changesSomething)
  );
}

function mutantsAt(node: Node, source: string): readonly Mutant[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return exchanged(node, source);
    case 'UnaryExpression':
      return node['operator'] === '!' ? [changed(node, source.slice(node.start + 1, node.end))] : [];
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

const changed = ({ start, end }: Node, text: string): Mutant => ({ start, end, text });

function exchanged(node: Node, source: string): readonly Mutant[] {
  const { left, right, operator } = node;
  const text = operators[String(operator)];
  if (!isNode(left) || !isNode(right) || text === undefined) return [];
  const at = source.indexOf(String(operator), left.end);
  const rest = source.slice(at + String(operator).length, node.end);
  return [changed(node, source.slice(node.start, at) + text + rest)];
}

const negated = (node: Node, source: string): Mutant => changed(node, `!(${source.slice(node.start, node.end)})`);

function literal(node: Node): readonly Mutant[] {
  const { value } = node;
  if (typeof value === 'boolean') return [changed(node, String(!value))];
  return typeof value === 'number' ? [changed(node, String(value + 1))] : [];
}

function renamed({ property, computed }: Node): readonly Mutant[] {
  if (computed === true || !isNode(property)) return [];
  const name = String(property['name']);
  const text = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return text === undefined ? [] : [{ start: property.start, end: property.end, text, isName: true }];
}
