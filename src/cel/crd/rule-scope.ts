import type { JsonObject } from '../../machinery/json/json.ts';
import { storedVersion } from '../admission/admission-environment.ts';
import { type Environment, type FieldsOf, createEnvironment } from '../check/environment.ts';
import {
  type Type,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  structType,
  timestampType,
} from '../check/type.ts';
import type { EstimatedPath, SizeAt } from '../estimate/estimator.ts';
import { type RuleSchema, readRuleSchema, withResourceMeta } from './rule-schema.ts';

/** A node of a schema with rules: its `self` and `oldSelf`. */
export interface RuleScope {
  readonly schema: RuleSchema;
  readonly declared: DeclaredType;
  /** Is it the root of a resource, or of one embedded in it? */
  readonly isResource: boolean;
}

const rootName = 'selfType';

/** undefined for a schema that is hidden from expressions. */
export function ruleScope(
  schema: JsonObject,
  isResource: boolean,
  release: number = storedVersion,
): RuleScope | undefined {
  const read = readRuleSchema(schema);
  const declared = declareType(read, rootName, { isResource, areNamesLimited: release >= 37 });
  return declared && { schema: read, declared, isResource };
}

export interface RuleOptions {
  /** Minor version of the server. Default: that of the default release. */
  readonly release?: number | undefined;
  /** Was the expression accepted by an earlier write? */
  readonly stored: boolean;
  /** Is `oldSelf` an optional value, so that the rule also runs when there is none? */
  readonly optionalOldSelf?: boolean;
}

/** What a rule may refer to. Follows apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go. */
export function ruleEnvironment({ declared }: RuleScope, options: RuleOptions): Environment {
  const { release = storedVersion, stored, optionalOldSelf } = options;
  const { type } = declared;
  const structs = collectStructs(declared);
  return createEnvironment({
    version: stored ? release : release - 1,
    variables: new Map([
      ['self', type],
      ['oldSelf', optionalOldSelf === true ? optionalType(type) : type],
    ]),
    structs: (name) => structs.get(name),
  });
}

/** The sizes that the schema allows. */
export const schemaSizes =
  ({ declared }: RuleScope): SizeAt =>
  ([, ...steps]: EstimatedPath) => {
    let at: DeclaredType | undefined = declared;
    for (const step of steps) at = at && stepInto(at, step);
    return at && { min: 0n, max: BigInt(at.maxElements) };
  };

function stepInto({ fields, element, key }: DeclaredType, step: string): DeclaredType | undefined {
  if (step === '@items' || step === '@values') return element;
  return step === '@keys' ? key : fields?.get(step);
}

/** How often the largest request can hold a value of this schema. Follows apiserver pkg/cel/common/schemas.go. */
export const maxCardinality = ({ declared }: RuleScope): bigint =>
  BigInt(Math.floor(maxRequestBytes / (declared.minSize + 1)));

/** A schema as a type, with the sizes that the estimator needs. */
interface DeclaredType {
  readonly type: Type;
  /** The longest text, list or map that can be: by the schema's limits, else by the largest request. */
  readonly maxElements: number;
  /** The fewest bytes that a value takes as JSON. */
  readonly minSize: number;
  /** Of an object: by escaped name. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** Of a list or a map. */
  readonly element?: DeclaredType;
  /** Of a map. */
  readonly key?: DeclaredType;
}

const maxRequestBytes = 3 * 1024 * 1024;
const quotes = 2;
const minText = 2;

interface DeclareOptions {
  /** The root or an embedded resource. */
  readonly isResource: boolean;
  readonly areNamesLimited: boolean;
}

/**
 * The type of a schema; undefined when it is hidden from expressions, such as one that preserves unknown fields. `name`
 * is that of its type. Follows apiserver pkg/cel/common/schemas.go.
 */
function declareType(schema: RuleSchema, name: string, place: DeclareOptions): DeclaredType | undefined {
  if (schema.intOrString)
    return declareScalar(dynType, 1, schema.maxLength === undefined ? maxTextLength : maxUtf8Bytes(schema));
  const whole = place.isResource ? withResourceMeta(schema, place.areNamesLimited) : schema;
  switch (whole.type) {
    case 'array':
      return declareList(whole, name, place);
    case 'object':
      return whole.additional === undefined ? declareObject(whole, name, place) : declareMap(whole, name, place);
    case 'string':
      return declareText(whole);
    case 'boolean':
      return declareScalar(boolType, 4, 0);
    case 'number':
      return declareScalar(doubleType, 1, 0);
    case 'integer':
      return declareScalar(intType, 1, 0);
    default:
      return undefined;
  }
}

const declareScalar = (type: Type, minSize: number, maxElements: number): DeclaredType => ({
  type,
  minSize,
  maxElements,
});

const maxTextLength = maxRequestBytes - quotes;

/** A limit in code points, in bytes. */
const maxUtf8Bytes = ({ maxLength = 0 }: RuleSchema): number => maxLength * 4;

function declareList({ items, maxItems }: RuleSchema, name: string, place: DeclareOptions): DeclaredType | undefined {
  const element = items && declareType(items, `${name}.@idx`, { ...place, isResource: items.embedded });
  if (element === undefined) return undefined;
  const maxElements = maxItems ?? Math.floor((maxRequestBytes - 2) / (element.minSize + 1));
  return { ...declareScalar(listType(element.type), 2, maxElements), element };
}

function declareMap(
  { maxProperties, additional }: RuleSchema,
  name: string,
  place: DeclareOptions,
): DeclaredType | undefined {
  const element = additional && declareType(additional, `${name}.@elem`, { ...place, isResource: additional.embedded });
  if (element === undefined) return undefined;
  const keyBytes = 6;
  const maxElements = maxProperties ?? Math.floor((maxRequestBytes - 2) / (element.minSize + keyBytes));
  return {
    ...declareScalar(mapType(stringType, element.type), 2, maxElements),
    element,
    key: declareScalar(stringType, minText, 0),
  };
}

function declareObject({ properties, required }: RuleSchema, name: string, place: DeclareOptions): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minSize = 2;
  for (const [property, schema] of properties ?? []) {
    const escaped = escapeName(property);
    const field = declareType(schema, `${name}.${escaped}`, { ...place, isResource: schema.embedded });
    if (field === undefined) continue;
    for (const expressed of escapedNames(property)) fields.set(expressed, field);
    if (required.has(property) && !schema.hasDefault) minSize += property.length + field.minSize + 4;
  }
  return { ...declareScalar(structType(name), minSize, 0), fields };
}

function declareText(schema: RuleSchema): DeclaredType {
  const { maxLength, texts, isEnum } = schema;
  switch (schema.format) {
    case 'byte':
      return declareScalar(bytesType, minText, maxLength ?? maxTextLength);
    case 'duration':
      return declareScalar(durationType, 3, 32);
    case 'date':
      return declareScalar(timestampType, 12, 12);
    case 'date-time':
      return declareScalar(timestampType, 21, 32);
    default:
      return declareScalar(
        stringType,
        minText,
        maxLength === undefined ? maxLengthOfTexts(texts, isEnum) : maxUtf8Bytes(schema),
      );
  }
}

const maxLengthOfTexts = (texts: readonly string[], isEnum: boolean): number =>
  isEnum ? Math.max(0, ...texts.map((text) => new TextEncoder().encode(text).length)) : maxTextLength;

/** The struct types inside a type, itself included, by name. Follows apiserver pkg/cel/types.go FieldTypeMap. */
function collectStructs(declared: DeclaredType): ReadonlyMap<string, FieldsOf> {
  const structs = new Map<string, FieldsOf>();
  collectInto(declared, structs);
  return structs;
}

function collectInto({ type, fields, element }: DeclaredType, structs: Map<string, FieldsOf>): void {
  if (type.kind === 'struct' && fields) structs.set(type.name, (field) => fields.get(field)?.type);
  for (const field of fields?.values() ?? []) collectInto(field, structs);
  if (element) collectInto(element, structs);
}

const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const sequences: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The identifiers by which expressions find a property. `namespace` may also be written as it is. */
export function escapedNames(name: string): readonly string[] {
  const escaped = escapeName(name);
  if (escaped === undefined) return [];
  return name === 'namespace' ? [escaped, name] : [escaped];
}

/**
 * The identifier under which an expression finds a property: `foo-bar` is `foo__dash__bar`, `namespace` is
 * `__namespace__`. Undefined for a name that no expression can reach. Follows apiserver pkg/cel/escaping.go.
 */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][\w./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[-./]/g, (found) => sequences[found] ?? found);
}
