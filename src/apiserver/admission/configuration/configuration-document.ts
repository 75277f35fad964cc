import { typeMetaErrorPrefix, typeMetaStruct } from '../../../machinery/json/body-type.ts';
import { isJsonObject, type JsonDocument } from '../../../machinery/json/json.ts';
import { decodeStruct, type Decoding, type Fields, type Struct } from '../../../machinery/meta/decode-fields.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { readYaml, type ReadYaml, yamlErrorText } from '../../../machinery/yaml/read-yaml.ts';

/** A value, or kube-apiserver's error text. */
export type ConfigurationReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

export const read = <T>(value: T): ConfigurationReading<T> => ({ ok: true, value });
export const unreadable = (error: string): { readonly ok: false; readonly error: string } => ({ ok: false, error });

export interface ConfigurationKind<T> {
  readonly names: readonly (readonly [apiVersion: string, kind: string])[];
  /** The Go scheme that upstream's error names. */
  readonly scheme: string;
  readonly struct: Struct<T>;
  /** Before the paths of Go's messages; '' by default. */
  readonly path?: string;
}

export const configurationKind = <T>(kind: ConfigurationKind<T>): ConfigurationKind<T> => kind;

/** Decodes a configuration file strictly. Follows apimachinery pkg/runtime/serializer/json/json.go. */
export function readConfiguration<T>(text: string, kind: ConfigurationKind<T>): ConfigurationReading<T> {
  const document = openDocument(text);
  if (!document.ok) return document;
  const decoded = decodeConfiguration(document.value, kind);
  if (!decoded.ok) return decoded;
  const { value, unknown } = decoded.value;
  // Upstream converts YAML to JSON with sorted keys first.
  const strict = [...document.value.duplicates, ...unknown.toSorted()];
  return strict.length === 0 ? read(value) : unreadable(`strict decoding error: ${strict.join(', ')}`);
}

/** Decodes a document that may have unknown fields. */
export function decodeConfiguration<T>(
  { fields, apiVersion, kind }: TypedDocument,
  { names, scheme, struct, path }: ConfigurationKind<T>,
): ConfigurationReading<Decoding<T>> {
  if (!names.some(([version, name]) => version === apiVersion && name === kind)) {
    const named = `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`;
    return unreadable(`${named} in scheme ${goQuote(scheme)}`);
  }
  const decoding = decodeStruct(struct, fields, path);
  return decoding.fatal === undefined ? read(decoding) : unreadable(decoding.fatal);
}

export interface TypedDocument {
  readonly fields: Fields;
  readonly apiVersion: string;
  readonly kind: string;
  /** The strict-decoding error of duplicate keys: one for all. */
  readonly duplicates: readonly string[];
}

export function openDocument(text: string): ConfigurationReading<TypedDocument> {
  const yaml = readYaml(text);
  return yaml.outcome === 'unreadable' ? unreadable(yaml.error) : typedDocument(yaml, text);
}

export function typedDocument(
  { value: fields, duplicates }: Pick<ReadYaml, 'value' | 'duplicates'>,
  text: string,
): ConfigurationReading<TypedDocument> {
  if (!isJsonObject(fields)) return unreadable(noObject(fields, text));
  const [apiVersion, kind] = [textOf(fields['apiVersion']), textOf(fields['kind'])];
  if (kind === '') return unreadable(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') return unreadable(`Object 'apiVersion' is missing in '${text}'`);
  return read({ fields, apiVersion, kind, duplicates: duplicates.length === 0 ? [] : [yamlErrorText(duplicates)] });
}

function noObject(document: JsonDocument, text: string): string {
  if (document === null) return `Object 'Kind' is missing in '${text}'`;
  const word = Array.isArray(document) ? 'array' : typeof document === 'object' ? 'number' : typeof document;
  return `${typeMetaErrorPrefix}json: cannot unmarshal ${word} into Go value of type ${typeMetaStruct}`;
}

const textOf = (value: Fields[string]): string => (typeof value === 'string' ? value : '');
