import builtin from '../builtin/declarations.json' with { type: 'json' };
import { macroKey, macros } from '../syntax/macros.ts';
import type { Expand } from '../syntax/macro-fold.ts';
import { typeParameters, parseType, type Type } from './type.ts';

/** One signature of a function. `args` has the receiver first. `params` names its type parameters. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  readonly params: readonly string[];
}

/** A Kubernetes minor version: 37 for 1.37. */
export type MinorVersion = number;

/** The functions and macros of a minor version. */
export interface Declarations {
  readonly overloads: (name: string) => readonly Overload[] | undefined;
  readonly macros: ReadonlyMap<string, Expand>;
}

type Row = (typeof builtin.functions)[number];

const cache = new Map<MinorVersion, Declarations>();

/** Made once for each version; a signature is parsed when it is first used. Follows apiserver pkg/cel/environment/base.go. */
export function declarationsForVersion(version: MinorVersion): Declarations {
  const cached = cache.get(version);
  if (cached !== undefined) return cached;
  const rows = groupRows(version);
  const read = new Map<string, readonly Overload[]>();
  const declarations: Declarations = {
    overloads: (name) => {
      const cached = read.get(name);
      if (cached !== undefined) return cached;
      const overloads = rows.get(name)?.map(parseOverload);
      if (overloads !== undefined) read.set(name, overloads);
      return overloads;
    },
    macros: macrosForVersion(version),
  };
  cache.set(version, declarations);
  return declarations;
}

const parseMinor = (since: string): MinorVersion => Number(since.slice(since.indexOf('.') + 1));

function groupRows(version: MinorVersion): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of builtin.functions) {
    const [name, , , , , since] = row;
    if (typeof name !== 'string' || parseMinor(String(since)) > version) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}

function macrosForVersion(version: MinorVersion): ReadonlyMap<string, Expand> {
  const macroNames = new Set(
    builtin.macros
      .filter(([, , , since]) => parseMinor(String(since)) <= version)
      .map(([name, args, receiver]) => macroKey(String(name), Number(args), receiver === true)),
  );
  return new Map([...macros].filter(([key]) => macroNames.has(key)));
}

function parseOverload([, id, args, result, member]: Row): Overload {
  const types = Array.isArray(args) ? args.map(parseType) : [];
  const overload = { id: String(id), member: member === true, args: types, result: parseType(String(result)) };
  return { ...overload, params: [...new Set([...types, overload.result].flatMap(parameterNames))] };
}

const parameterNames = (type: Type): readonly string[] =>
  type.kind === 'param' ? [type.name] : typeParameters(type).flatMap(parameterNames);

/** A signature in the form of declarations, for functions of some environments only. */
export const createOverload = (id: string, args: readonly string[], result: string, member = false): Overload =>
  parseOverload(['', id, [...args], result, member, '1.0']);
