import { declarationsForVersion, type MinorVersion, type Overload } from './declarations.ts';
import type { Expand } from '../syntax/macro-fold.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  structType,
  timestampType,
  type Type,
  typeType,
  uintType,
} from './type.ts';

/** The declaration of a name: a variable, or a type used as a value. */
export type Declared =
  | { readonly declared: 'variable'; readonly name: string; readonly type: Type }
  | { readonly declared: 'type'; readonly name: string; readonly type: Type };

/** The fields of a declared type; undefined for a field it does not have. */
export type FieldsOf = (field: string) => Type | undefined;

export interface Environment {
  /** Are literals of durations, timestamps, patterns and mixed lists checked? */
  readonly checksLiterals: boolean;
  readonly macros: ReadonlyMap<string, Expand>;
  readonly ident: (name: string) => Declared | undefined;
  readonly overloads: (name: string) => readonly Overload[] | undefined;
  /** The fields of a struct type; undefined when there is no such type. */
  readonly structs: (name: string) => FieldsOf | undefined;
}

export interface EnvironmentOptions {
  readonly version: MinorVersion;
  readonly variables: ReadonlyMap<string, Type>;
  readonly structs?: ((name: string) => FieldsOf | undefined) | undefined;
  readonly functions?: ReadonlyMap<string, readonly Overload[]> | undefined;
  /** Kubernetes does since 1.29. */
  readonly checksLiterals?: boolean;
}

const literalChecksSince = 29;

/** An environment of Kubernetes CEL with these variables, types and additional functions. */
export function createEnvironment(options: EnvironmentOptions): Environment {
  const { version, variables, structs, functions } = options;
  const declarations = declarationsForVersion(version);
  const findStruct = structs ?? ((): undefined => undefined);
  return {
    checksLiterals: options.checksLiterals ?? version >= literalChecksSince,
    macros: declarations.macros,
    overloads: (name) => functions?.get(name) ?? declarations.overloads(name),
    structs: findStruct,
    ident: (name) => {
      const variable = variables.get(name);
      if (variable !== undefined) return { declared: 'variable', name, type: variable };
      const type = builtinTypes.get(name) ?? (findStruct(name) === undefined ? undefined : structType(name));
      return type === undefined ? undefined : { declared: 'type', name, type: typeType(type) };
    },
  };
}

const builtinTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', doubleType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
  ['int', intType],
  ['uint', uintType],
  ['string', stringType],
  ['null_type', nullType],
  ['list', listType(dynType)],
  ['map', mapType(dynType, dynType)],
  ['type', typeType(dynType)],
  ['optional_type', optionalType(dynType)],
  ...[
    'kubernetes.URL',
    'kubernetes.Quantity',
    'kubernetes.Semver',
    'kubernetes.NamedFormat',
    'net.IP',
    'net.CIDR',
    'kubernetes.authorization.Authorizer',
    'kubernetes.authorization.PathCheck',
    'kubernetes.authorization.GroupCheck',
    'kubernetes.authorization.ResourceCheck',
    'kubernetes.authorization.Decision',
  ].map((name): [string, Type] => [name, structType(name)]),
]);
