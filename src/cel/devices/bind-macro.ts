import { foldOf, listOf, literalBool, macroError } from '../syntax/macro-fold.ts';
import type { Expand } from '../syntax/macro-fold.ts';
import { ident, memberCall } from '../syntax/node-factory.ts';

/** `cel.bind(name, value, expression)`, a fold that never runs. Follows cel-go ext/bindings.go. */
export const bind: Expand = (context, target, args) => {
  const [variable = target, value = target, expression = target] = args;
  if (target.type !== 'ident' || target.name !== 'cel') return memberCall(context.id(), 'bind', target, args);
  if (variable.type !== 'ident') return macroError(variable, 'cel.bind() variable names must be simple identifiers');
  return foldOf(context, {
    range: listOf(context),
    variables: ['#unused'],
    accumulator: variable.name,
    init: value,
    condition: literalBool(context, false),
    step: ident(context.id(), variable.name),
    result: expression,
  });
};
