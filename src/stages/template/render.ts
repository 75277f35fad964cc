import { isJsonObject, isList } from '../../apimachinery/json.ts';
import { TemplateFault } from './fault.ts';
import type { Branch, Command, Node, Operand, Pipe, Value } from './tree.ts';
import { fieldsOf, isTrue, printed } from './value.ts';

export type TemplateFunction = (...args: readonly Value[]) => Value;

export type Rendering =
  | { readonly outcome: 'rendered'; readonly text: string }
  | { readonly outcome: 'failed'; readonly error: string };

const mostSteps = 100_000;
const longestText = 1024 * 1024;

/** What the template becomes for this object. Follows go src/text/template/exec.go. */
export function render(
  nodes: readonly Node[],
  data: Value,
  functions: ReadonlyMap<string, TemplateFunction>,
): Rendering {
  const state: State = { functions, parts: [], size: 0, steps: 0, variables: [['$', data]] };
  try {
    run(nodes, data, state);
    return { outcome: 'rendered', text: state.parts.join('') };
  } catch (error) {
    if (error instanceof TemplateFault) return { outcome: 'failed', error: error.message };
    throw error;
  }
}

interface State {
  readonly functions: ReadonlyMap<string, TemplateFunction>;
  readonly parts: string[];
  size: number;
  steps: number;
  /** The innermost last. */
  readonly variables: [name: string, value: Value][];
}

/** How a list of nodes ended. */
type End = 'end' | 'break' | 'continue';

function run(nodes: readonly Node[], dot: Value, state: State): End {
  const mark = state.variables.length;
  try {
    for (const node of nodes) {
      const how = runNode(node, dot, state);
      if (how !== 'end') return how;
    }
    return 'end';
  } finally {
    state.variables.length = mark;
  }
}

function runNode(node: Node, dot: Value, state: State): End {
  count(state);
  switch (node.type) {
    case 'text':
      write(node.text, state);
      return 'end';
    case 'print': {
      const value = evaluate(node.pipe, dot, state);
      if (node.pipe.variables.length === 0) write(printed(value), state);
      return 'end';
    }
    case 'break':
    case 'continue':
      return node.type;
    case 'if':
    case 'range':
    case 'with': {
      const mark = state.variables.length;
      const how = runBranch(node, dot, state);
      state.variables.length = mark;
      return how;
    }
  }
}

function runBranch(branch: Branch, dot: Value, state: State): End {
  if (branch.type === 'range') return runRange(branch, dot, state);
  const value = evaluate(branch.pipe, dot, state);
  if (!isTrue(value)) return run(branch.otherwise, dot, state);
  return run(branch.body, branch.type === 'with' ? value : dot, state);
}

function runRange({ pipe, body, otherwise }: Branch, dot: Value, state: State): End {
  const entries = entriesOf(valueOf(pipe, dot, state));
  if (entries.length === 0) return run(otherwise, dot, state);
  const mark = state.variables.length;
  for (const [key, item] of entries) {
    const [first, second] = pipe.variables;
    if (first !== undefined) setVariable(state, first, second === undefined ? item : key, pipe.declares);
    if (second !== undefined) setVariable(state, second, item, pipe.declares);
    count(state);
    const how = run(body, item, state);
    state.variables.length = mark;
    if (how === 'break') return 'end';
  }
  return 'end';
}

/** The keys and values of a list, a map in the order of its keys, or the numbers below a number. */
function entriesOf(value: Value): readonly (readonly [Value, Value])[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return [...value.entries()];
  if (isJsonObject(value)) return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (typeof value === 'number' && value <= mostSteps)
    return Array.from({ length: Math.max(0, value) }, (_, at) => [at, at]);
  throw new TemplateFault(`range can't iterate over ${printed(value).slice(0, 100)}`);
}

function evaluate(pipe: Pipe, dot: Value, state: State): Value {
  const value = valueOf(pipe, dot, state);
  const [name] = pipe.variables;
  if (name !== undefined) setVariable(state, name, value, pipe.declares);
  return value;
}

function valueOf({ commands }: Pipe, dot: Value, state: State): Value {
  return commands.reduce<Value>(
    (before, command, index) => runCommand(command, dot, { state, piped: index === 0 ? [] : [before] }),
    undefined,
  );
}

interface Call {
  readonly state: State;
  /** What comes through the pipe. */
  readonly piped: readonly Value[];
}

function runCommand([first, ...args]: Command, dot: Value, { state, piped }: Call): Value {
  if (!first) return undefined;
  if (first.type !== 'function') {
    if (piped.length > 0) throw new TemplateFault('a function is expected behind "|"');
    return operandOf(first, dot, state);
  }
  count(state);
  return fieldsOf(
    callFunction(
      first.name,
      [...args.map((arg) => () => operandOf(arg, dot, state)), ...piped.map((value) => () => value)],
      state,
    ),
    first.path,
  );
}

/** `and` and `or` look no further than they must. */
function callFunction(name: string, args: readonly (() => Value)[], state: State): Value {
  if (name === 'and' || name === 'or') {
    let value: Value;
    for (const arg of args) {
      value = arg();
      if (isTrue(value) === (name === 'or')) return value;
    }
    return value;
  }
  const called = state.functions.get(name);
  if (!called) throw new TemplateFault(`function ${JSON.stringify(name)} is not known here`);
  return called(...args.map((arg) => arg()));
}

function operandOf(operand: Operand, dot: Value, state: State): Value {
  switch (operand.type) {
    case 'literal':
      return operand.value;
    case 'dot':
      return fieldsOf(dot, operand.path);
    case 'variable':
      return fieldsOf(variableOf(state, operand.name)[1], operand.path);
    case 'function':
      return runCommand([operand], dot, { state, piped: [] });
    case 'pipe':
      return fieldsOf(valueOf(operand.pipe, dot, state), operand.path);
  }
}

function variableOf({ variables }: State, name: string): [string, Value] {
  const found = variables.findLast(([known]) => known === name);
  if (!found) throw new TemplateFault(`undefined variable ${JSON.stringify(name)}`);
  return found;
}

function setVariable(state: State, name: string, value: Value, declares: boolean): void {
  if (declares) state.variables.push([name, value]);
  else variableOf(state, name)[1] = value;
}

function count(state: State): void {
  state.steps += 1;
  if (state.steps > mostSteps) throw new TemplateFault(`it takes more than ${mostSteps} steps`);
}

function write(text: string, state: State): void {
  state.size += text.length;
  if (state.size > longestText) throw new TemplateFault('it makes more than 1 MiB of text');
  if (text !== '') state.parts.push(text);
}
