import { declarationsOf } from '../check/declarations.ts';
import type { MinorVersion } from '../check/declarations.ts';
import { isDyn, typeName } from '../check/type.ts';
import type { Type } from '../check/type.ts';
import { CelError, noSuchOverload } from '../value/value.ts';
import type { Value } from '../value/value.ts';
import { runtimeTypeName } from '../value/runtime-type.ts';
import type { Operation } from './operation.ts';

const numbers = ['int', 'uint', 'double'];
const moments = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
const ordered = [...numbers, ...moments, 'string', 'bytes', 'bool'];

/** What the first operand must be able to do, for functions that ask that of it: the types that can. */
const able: ReadonlyMap<string, readonly string[]> = new Map([
  ['_+_', [...numbers, ...moments, 'string', 'bytes', 'list']],
  ['_-_', [...numbers, ...moments]],
  ['_*_', numbers],
  ['_/_', numbers],
  ['_%_', ['int', 'uint']],
  ['-_', ['int', 'double', 'bool', 'google.protobuf.Duration']],
  ['_<_', ordered],
  ['_<=_', ordered],
  ['_>_', ordered],
  ['_>=_', ordered],
  ['size', ['string', 'bytes', 'list', 'map']],
  ['sort', ['list']],
]);

/** Types whose values are asked for functions by name, and have an answer of their own. */
const receivers: ReadonlySet<string> = new Set(['string', ...moments]);

/** These tell nobody which arguments they got. */
const silent: ReadonlySet<string> = new Set(
  '!_ @in type dyn contains startsWith endsWith matches find findAll'.split(' '),
);

/**
 * The operation, with cel-go's words where no overload takes the arguments: the function alone where its first operand
 * lacks what it takes, the types of all arguments where overloads are told apart by type.
 * Follows cel-go interpreter/interpretable.go and common/decls/decls.go MaybeNoSuchOverload.
 */
export function namingMissing(name: string, count: number, operation: Operation): Operation {
  if (silent.has(name)) return operation;
  return (a, b, c, d) => {
    const result = operation(a, b, c, d);
    return result === noSuchOverload ? missing(name, [a, b, c, d].slice(0, count)) : result;
  };
}

/** Does an overload take arguments of these types? Then it was the function itself that refused the values. */
const isTaken = (name: string, types: readonly string[]): boolean =>
  (declarationsOf(newest).overloads(name) ?? []).some(
    ({ args }) => args.length === types.length && args.every((type, at) => takes(type, types[at] ?? '')),
  );

const newest: MinorVersion = Number.MAX_SAFE_INTEGER;

const takes = (type: Type, name: string): boolean => isDyn(type) || type.kind === 'param' || typeName(type) === name;

function missing(name: string, values: readonly Value[]): CelError {
  const types = values.map(runtimeTypeName);
  const [first = ''] = types;
  if (name === 'flatten')
    return new CelError(`no such overload: ${first === 'map' ? 'map(dyn, dyn)' : first}.flatten()`);
  const abilities = able.get(name);
  if (abilities === undefined && isTaken(name, types)) return noSuchOverload;
  if (abilities === undefined) return new CelError(`no such overload: ${name}(${types.join(', ')})`);
  return abilities.includes(first) || receivers.has(first) ? noSuchOverload : new CelError(`no such overload: ${name}`);
}
