import type { FieldError } from '../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { customValueType } from '../apply/custom-value-type.ts';
import type { ValueType } from '../apply/value-type.ts';
import type { Decoded } from '../codec/decoded.ts';
import { decodeCustom, decodeMerged } from './decode.ts';
import { withDefaults, withoutNulls } from './defaults.ts';
import { schemaOf, versionOf } from './definition-version.ts';
import { coerceStored } from './embedded.ts';
import { finalizerWarnings } from './instances/finalizer-warnings.ts';
import { ruleNode } from './instances/rule-tree.ts';
import { scaleOf, validateInstance, validateStatus } from './instances/validate-instance.ts';
import type { Verdict } from './instances/validate-instance.ts';
import { prune } from './prune.ts';
import { readStructural } from './structural.ts';
import type { Structural } from './structural.ts';

/** One version of a definition, as its instances meet it. Everything is made when it is first needed. */
export interface CustomType {
  readonly kind: GroupVersionKind;
  /** Reads a body: pruned, with what was dropped or doubled in `strict`. Nothing is defaulted. */
  readonly decode: (text: JsonText) => Decoded;
  readonly decodeValue: (value: JsonDocument) => Decoded;
  /** What a server-side apply has come to. */
  readonly decodeMerged: (value: JsonValue) => Decoded;
  readonly applyDefaults: (object: KubernetesObject) => KubernetesObject;
  /** What the schema leaves of an object that comes from storage or from a converter; nothing is told. */
  readonly prune: (object: KubernetesObject) => KubernetesObject;
  /** `metadataErrors` are told first, and decide with the others whether rules are run. */
  readonly validate: (object: KubernetesObject, metadataErrors?: readonly FieldError[]) => Verdict;
  readonly validateUpdate: Judgement;
  readonly validateStatusUpdate: Judgement;
  /** About finalizers; those that were there before are not told. */
  readonly warnings: (object: KubernetesObject, old?: KubernetesObject) => readonly string[];
  readonly valueType: () => ValueType;
}

type Judgement = (object: KubernetesObject, old: KubernetesObject, metadataErrors?: readonly FieldError[]) => Verdict;

const types = new WeakMap<JsonObject, Map<string, CustomType>>();

/** The type of a version of a definition; undefined when it has no such version. The same object gives the same type. */
export function customType(definition: JsonObject, version: string): CustomType | undefined {
  const known = types.get(definition) ?? new Map<string, CustomType>();
  types.set(definition, known);
  const found = known.get(version) ?? createCustomType(definition, version);
  if (found !== undefined) known.set(version, found);
  return found;
}

/** What is left of a schema where `preserveUnknownFields` keeps all that v1beta1 kept. Follows customresource_handler.go. */
const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function createCustomType(definition: JsonObject, name: string): CustomType | undefined {
  const version = versionOf(definition, name);
  if (version === undefined) return undefined;
  const spec = asObject(definition['spec']);
  const kind = { group: asString(spec['group']), version: name, kind: asString(asObject(spec['names'])['kind']) };
  const json = schemaOf(version);
  const keepsAll = spec['preserveUnknownFields'] === true;
  const schemaOfVersion = (other: string): JsonObject => (keepsAll ? anything : schemaOf(versionOf(definition, other)));
  let valueType: ValueType | undefined;
  const judge = {
    kind,
    scale: scaleOf(version),
    get schema() {
      return readStructural(json);
    },
    rules: () => ruleNode(readStructural(json), true),
  };
  return {
    kind,
    decode: (text) => decodeCustom(text.value, kind, schemaOfVersion, text),
    decodeValue: (value) => decodeCustom(value, kind, schemaOfVersion),
    decodeMerged: (value) => decodeMerged(value, kind),
    applyDefaults: (object) => defaulted(object, readStructural(json)),
    prune: (object) => pruneStored(object, keepsAll ? anything : json),
    validate: (object, metadataErrors) => validateInstance(judge, { object, metadataErrors: metadataErrors ?? [] }),
    validateUpdate: (object, old, metadataErrors) =>
      validateInstance(judge, { object, old, metadataErrors: metadataErrors ?? [] }),
    validateStatusUpdate: (object, old, metadataErrors) =>
      validateStatus(judge, { object, old, metadataErrors: metadataErrors ?? [] }),
    warnings: finalizerWarnings,
    valueType: () => (valueType ??= customValueType(keepsAll ? anything : json)),
  };
}

/**
 * A default may bring metadata of an embedded resource; what ObjectMeta does not know of it goes, as upstream decodes: defaults,
 * then coercion. Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go schemaCoercingDecoder.
 */
const defaulted = (object: KubernetesObject, schema: Structural): KubernetesObject =>
  coerceStored(withDefaults(object, schema), schema) as KubernetesObject; // Still whole.

function pruneStored(object: KubernetesObject, json: JsonObject): KubernetesObject {
  const schema = readStructural(json);
  return coerceStored(withoutNulls(prune(object, schema), schema), schema) as KubernetesObject; // Still whole.
}
