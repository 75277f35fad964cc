import { call, ident, mapExpr, memberCall, select } from './node-factory.ts';
import {
  accumulator,
  allLoop,
  accumulatorIdent,
  existsLoop,
  existsOneLoop,
  type Expand,
  type Fold,
  createFold,
  globalCall,
  listLoop,
  listExpr,
  literalBool,
  type MacroContext,
  macroError,
  type MacroError,
} from './macro-fold.ts';
import type { Expr } from './ast.ts';

/** A macro by name, number of arguments, and whether it has a receiver. */
export const macroKey = (name: string, args: number, receiver: boolean): string => `${name}:${args}:${receiver}`;

type Loop = (context: MacroContext, body: Expr, filter?: Expr) => Omit<Fold, 'range' | 'variables' | 'accumulator'>;

const quantifierError = 'argument must be a simple name';
const collectorError = 'argument is not an identifier';

const has: Expand = (context, _target, args) => {
  const [arg] = args;
  if (arg?.type === 'select' && !arg.testOnly) return select(context.id(), arg.operand, arg.field, true);
  return macroError(arg ?? _target, 'invalid argument to has() macro');
};

/** `range.name(x, body)`. Follows cel-go parser/macro.go. */
const oneVariable =
  (loop: Loop, problem: string): Expand =>
  (context, range, args) => {
    const [variable, first, second] = args;
    const name = variableName(variable, problem);
    if (typeof name !== 'string') return name;
    const filtered = second === undefined ? undefined : first;
    const body = second ?? first ?? range;
    return createFold(context, { range, variables: [name], accumulator, ...loop(context, body, filtered) });
  };

const filter: Expand = (context, range, args) => {
  const [variable, predicate] = args;
  const name = variableName(variable, collectorError);
  if (typeof name !== 'string') return name;
  const loop = listLoop(context, ident(context.id(), name), predicate);
  return createFold(context, { range, variables: [name], accumulator, ...loop });
};

/** `range.name(i, v, body)` and `range.name(i, v, filter, body)`. Follows cel-go ext/comprehensions.go. */
const twoVariables =
  (loop: Loop): Expand =>
  (context, range, args) => {
    const [first, second, third, fourth] = args;
    const name = variableName(first, quantifierError);
    if (typeof name !== 'string') return name;
    const name2 = variableName(second, quantifierError);
    if (typeof name2 !== 'string') return name2;
    if (name === name2) return macroError(second ?? range, `duplicate variable name: ${name}`);
    const filtered = fourth === undefined ? undefined : third;
    const body = fourth ?? third ?? range;
    return createFold(context, { range, variables: [name, name2], accumulator, ...loop(context, body, filtered) });
  };

/** `transformMap` inserts under the key of the round, `transformMapEntry` the entries of its body. */
const mapLoop =
  (insert: (context: MacroContext, body: Expr, key: string) => Expr) =>
  (key: string): Loop =>
  (context, body, filtered) => {
    const inserted = insert(context, body, key);
    return {
      init: mapExpr(context.id(), []),
      condition: literalBool(context, true),
      step:
        filtered === undefined ? inserted : globalCall(context, '_?_:_', filtered, inserted, accumulatorIdent(context)),
      result: accumulatorIdent(context),
    };
  };

const insertValue = mapLoop((context, body, key) =>
  globalCall(context, 'cel.@mapInsert', accumulatorIdent(context), ident(context.id(), key), body),
);
const insertEntries = mapLoop((context, body) =>
  globalCall(context, 'cel.@mapInsert', accumulatorIdent(context), body),
);

const transformMap =
  (loop: (key: string) => Loop): Expand =>
  (context, range, args) => {
    const [first] = args;
    return twoVariables(loop(first?.type === 'ident' ? first.name : ''))(context, range, args);
  };

/** `target.hasValue() ? wrap(fold binding x to target.value()) : optional.none()`. Follows cel-go cel/library.go. */
const optionalMacro =
  (name: string, wrap: (context: MacroContext, mapped: Expr) => Expr): Expand =>
  (context, target, args) => {
    const [variable, body] = args;
    const bound = variableName(variable, `${name}() variable name must be a simple identifier`);
    if (typeof bound !== 'string') return bound;
    const mapped = createFold(context, {
      range: listExpr(context),
      variables: ['#unused'],
      accumulator: bound,
      init: memberCall(context.id(), 'value', context.copy(target), []),
      condition: literalBool(context, false),
      step: ident(context.id(), bound),
      result: body ?? target,
    });
    return globalCall(
      context,
      '_?_:_',
      memberCall(context.id(), 'hasValue', target, []),
      wrap(context, mapped),
      globalCall(context, 'optional.none'),
    );
  };

const sortInput = '@__sortBy_input__';

/** Binds the list, then sorts it by the list of its keys. Follows cel-go ext/lists.go. */
const sortBy: Expand = (context, target, args) => {
  const [variable, key] = args;
  if (!['list', 'select', 'ident', 'comprehension', 'call'].includes(target.type)) {
    return macroError(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const name = variableName(variable, 'argument must be a simple name');
  if (typeof name !== 'string') return name;
  const input = (): Expr => ident(context.id(), sortInput);
  const keys = oneVariable(listLoop, collectorError)(context, input(), [variable ?? target, key ?? target]);
  if (keys.type === 'macro-error') return keys;
  return createFold(context, {
    range: listExpr(context),
    variables: ['#unused'],
    accumulator: sortInput,
    init: target,
    condition: literalBool(context, false),
    step: input(),
    result: memberCall(context.id(), '@sortByAssociatedKeys', input(), [keys]),
  });
};

function variableName(expr: Expr | undefined, problem: string): string | MacroError {
  if (expr?.type !== 'ident' || expr.name.startsWith('.')) {
    return { type: 'macro-error', id: expr?.id ?? 0, message: problem };
  }
  if (expr.name === accumulator || expr.name === '__result__') {
    return macroError(expr, 'iteration variable overwrites accumulator variable');
  }
  return expr.name;
}

/** Every macro of the language and its Kubernetes extensions, by `macroKey`. */
export const macros: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  [macroKey('has', 1, false), has],
  [macroKey('all', 2, true), oneVariable(allLoop, quantifierError)],
  [macroKey('exists', 2, true), oneVariable(existsLoop, quantifierError)],
  [macroKey('exists_one', 2, true), oneVariable(existsOneLoop, quantifierError)],
  [macroKey('map', 2, true), oneVariable(listLoop, collectorError)],
  [macroKey('map', 3, true), oneVariable(listLoop, collectorError)],
  [macroKey('filter', 2, true), filter],
  [macroKey('all', 3, true), twoVariables(allLoop)],
  [macroKey('exists', 3, true), twoVariables(existsLoop)],
  [macroKey('exists_one', 3, true), twoVariables(existsOneLoop)],
  [macroKey('existsOne', 3, true), twoVariables(existsOneLoop)],
  [macroKey('transformList', 3, true), twoVariables(listLoop)],
  [macroKey('transformList', 4, true), twoVariables(listLoop)],
  [macroKey('transformMap', 3, true), transformMap(insertValue)],
  [macroKey('transformMap', 4, true), transformMap(insertValue)],
  [macroKey('transformMapEntry', 3, true), transformMap(insertEntries)],
  [macroKey('transformMapEntry', 4, true), transformMap(insertEntries)],
  [
    macroKey('optMap', 2, true),
    optionalMacro('optMap', (context, mapped) => call(context.id(), 'optional.of', mapped)),
  ],
  [macroKey('optFlatMap', 2, true), optionalMacro('optFlatMap', (_context, mapped) => mapped)],
  [macroKey('sortBy', 2, true), sortBy],
]);
