import {
  dynType,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  opaqueType,
  typeParameters,
  sameType,
  type Type,
  typeName,
  typeType,
} from './type.ts';

/** The substitutions of the type parameters of an expression. */
export interface TypeSolver {
  readonly newVariable: () => Type;
  /** Is a value of type `from` assignable to `to`? If so, keeps the substitutions. */
  readonly assignable: (to: Type, from: Type) => boolean;
  readonly allAssignable: (to: readonly Type[], from: readonly Type[]) => boolean;
  /** The type with its known parameters filled in; unknown ones become dyn when `final`. */
  readonly resolve: (type: Type, final: boolean) => Type;
}

/** Follows cel-go checker/types.go. */
export function createTypeSolver(): TypeSolver {
  const known = createBindings();
  let variables = 0;
  const attempt = (test: () => boolean): boolean => {
    const before = known.mark();
    if (test()) return true;
    known.backTo(before);
    return false;
  };
  return {
    newVariable: () => {
      variables += 1;
      return { kind: 'param', name: `_var${variables - 1}` };
    },
    assignable: (to, from) => attempt(() => assignable(known, to, from)),
    allAssignable: (to, from) => attempt(() => allAssignable(known, to, from)),
    resolve: (type, final) => substitute(known, type, final),
  };
}

interface Bindings {
  readonly get: (name: string) => Type | undefined;
  readonly set: (name: string, type: Type) => void;
}

/** A long expression has thousands of parameters: restoring undoes later substitutions instead of copying all. */
function createBindings(): Bindings & { readonly mark: () => number; readonly backTo: (mark: number) => void } {
  const types = new Map<string, Type>();
  const changes: { readonly name: string; readonly before: Type | undefined }[] = [];
  return {
    get: (name) => types.get(name),
    set: (name, type) => {
      changes.push({ name, before: types.get(name) });
      types.set(name, type);
    },
    mark: () => changes.length,
    backTo: (mark) => {
      for (const { name, before } of changes.splice(mark).toReversed()) {
        if (before === undefined) types.delete(name);
        else types.set(name, before);
      }
    },
  };
}

function allAssignable(known: Bindings, to: readonly Type[], from: readonly Type[]): boolean {
  return to.length === from.length && to.every((type, index) => assignable(known, type, from[index] ?? dynType));
}

function assignable(known: Bindings, to: Type, from: Type): boolean {
  if (from.kind === 'param') {
    const answer = bind(known, from.name, to);
    if (answer !== 'unbound') return answer === 'fits';
  }
  if (to.kind === 'param') return bind(known, to.name, from) === 'fits';
  if (isDynOrError(to) || isDynOrError(from)) return true;
  if (to.kind === 'null' || from.kind === 'null') return isNullable(to.kind === 'null' ? from : to);
  if (to.kind === 'type') return from.kind === 'type';
  if (to.kind !== from.kind || typeName(to) !== typeName(from)) return false;
  return allAssignable(known, typeParameters(to), typeParameters(from));
}

const isNullable = ({ kind }: Type): boolean =>
  ['null', 'opaque', 'struct', 'any', 'timestamp', 'duration'].includes(kind);

/**
 * Tries to substitute `type` for a parameter. `unbound`: it does not fit in this direction, and the parameter had no
 * substitution.
 */
function bind(known: Bindings, name: string, type: Type): 'fits' | 'clashes' | 'unbound' {
  if (type.kind === 'param' && type.name === name) return 'fits';
  const current = known.get(name);
  if (current === undefined) {
    if (mentions(known, name, type)) return 'unbound';
    known.set(name, type);
    return 'fits';
  }
  if (sameType(type, current)) return 'fits';
  if (!assignable(known, type, current)) return 'clashes';
  const general = moreGeneral(type, current);
  if (!mentions(known, name, general)) known.set(name, general);
  return 'fits';
}

function mentions(known: Bindings, name: string, type: Type): boolean {
  if (type.kind !== 'param') return typeParameters(type).some((param) => mentions(known, name, param));
  if (type.name === name) return true;
  const next = known.get(type.name);
  return next !== undefined && mentions(known, name, next);
}

function substitute(known: Bindings, type: Type, final: boolean): Type {
  const inner = (part: Type): Type => substitute(known, part, final);
  if (type.kind === 'param') return substituteParameter(known, type, final);
  if (type.kind === 'list') return listType(inner(type.element));
  if (type.kind === 'map') return mapType(inner(type.key), inner(type.value));
  if (type.kind === 'type') return type.of === undefined ? type : typeType(inner(type.of));
  return type.kind === 'opaque' ? opaqueType(type.name, type.params.map(inner)) : type;
}

function substituteParameter(known: Bindings, type: Extract<Type, { kind: 'param' }>, final: boolean): Type {
  const next = known.get(type.name);
  if (next !== undefined) return substitute(known, next, final);
  return final ? dynType : type;
}

/** The type with fresh parameters put for the named ones. */
export const instantiate = (type: Type, fresh: ReadonlyMap<string, Type>): Type =>
  fresh.size === 0 ? type : substitute(new Map(fresh), type, false);

/** Of two compatible types the one that allows more. */
export const moreGeneral = (a: Type, b: Type): Type => (isLessSpecific(a, b) ? a : b);

function isLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind || typeName(a) !== typeName(b)) return false;
  if (a.kind === 'type') return true;
  const others = typeParameters(b);
  return typeParameters(a).every((param, index) => isLessSpecific(param, others[index] ?? dynType));
}
