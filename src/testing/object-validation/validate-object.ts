import { caBundleError } from '../../api/validation/certificates/x509.ts';
import type { Codec } from '../../api/codec/codec.ts';
import * as crd from '../../api/crd/engine.ts';
import { defaultRelease } from '../../api/release/load-release.ts';
import {
  beforeCreate,
  beforeUpdate,
  validateForCreate,
  validateForUpdate,
  type Strategy,
  type StrategyContext,
} from '../../api/strategy/strategy.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { createExpressions } from '../../apiserver/admission/matching/expression-engine.ts';
import { acceptNames } from '../../apiserver/custom-resources/accept-names.ts';
import { type CustomRow, isCustomRow } from '../../apiserver/custom-resources/custom-codec.ts';
import { createRows } from '../../apiserver/custom-resources/follow-definitions.ts';
import { serveCustom } from '../../apiserver/custom-resources/serve-custom.ts';
import { createRequestStrategies } from '../../apiserver/request/strategies.ts';
import * as cel from '../../cel/index.ts';
import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { fieldErrorText, goQuote } from '../../machinery/meta/field-error.ts';
import { groupKindText, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';

interface ServedKinds {
  readonly catalogue: Catalogue;
  readonly serverOf: (row: ResourceInfo) => KindServer;
}

interface KindServer {
  readonly codec: Pick<Codec, 'decodeValue' | 'applyDefaults'>;
  readonly strategy: Strategy;
  /** undefined when the object cannot be converted. */
  readonly toStorage: (object: KubernetesObject) => KubernetesObject | undefined;
}

const { codec, minor, strategyFor } = defaultRelease;

const strategies = createRequestStrategies(strategyFor, createExpressions(cel), () => crd, {
  allowPrivileged: true,
  reservesStaticNames: false,
  release: minor,
  caBundleError,
});

/** `definitions` are decoded, defaulted and valid. */
function servedKinds(definitions: readonly KubernetesObject[]): ServedKinds {
  const catalogue = defaultRelease.createCatalogue();
  for (const definition of definitions) {
    const accepted = acceptNames(definition, [], { time: '2026-01-01T00:00:00Z', caBundleError });
    catalogue.put(metadataOf(accepted).name ?? '', createRows(accepted, crd));
  }
  return { catalogue, serverOf: (row) => (isCustomRow(row) ? customServer(row) : builtinServer(row)) };
}

const builtinServer = (row: ResourceInfo): KindServer => ({
  codec,
  strategy: strategies(row),
  toStorage: (object) => {
    const converted = codec.convertNow(object, row.storage);
    return converted.outcome === 'converted' ? converted.object : undefined;
  },
});

/** A custom resource is validated in the version of its request: no conversion webhook is called. */
function customServer(row: CustomRow): KindServer {
  const ports = {
    codec,
    newUid: () => '',
    callWebhook: unused,
    parseYaml: unused,
  };
  const server = serveCustom(row, ports, { now: () => 0, record: () => undefined });
  return { codec: server.codec, strategy: server.strategy, toStorage: (object) => object };
}

const unused = (): never => {
  throw new Error('an object that is validated in its own version needs no converter');
};

export interface Refusal {
  /** `spec.validations[0].expression`; '' for the whole object. */
  readonly field: string;
  readonly text: string;
  /** The beginning of the server's response: `400: ValidatingAdmissionPolicy in version "v1" cannot be handled as …`. */
  readonly answer: string;
  /** An unknown or repeated field: only fieldValidation Strict refuses it. */
  readonly isStrict?: true;
}

export interface Validated {
  readonly refusals: readonly Refusal[];
  /** undefined when the object cannot be decoded or prepared. */
  readonly object?: KubernetesObject;
}

/** Without the empty fields that Go's encoder omits. */
export const { printed } = codec;

/** What the API server refuses of a new object sent with fieldValidation Strict. Kinds that are not served are not validated. */
export function validateObject(object: KubernetesObject, kinds: ServedKinds): Validated {
  const kind = { ...parseApiVersion(object.apiVersion), kind: object.kind };
  const row = kinds.catalogue.forKind(kind);
  if (row === undefined) return { refusals: [] };
  const server = kinds.serverOf(row);
  const decoded = server.codec.decodeValue(withoutServerFields(object), kind);
  const unhandled = `400: ${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
  if (decoded.outcome === 'undecodable') return { refusals: [{ field: '', text: decoded.error, answer: unhandled }] };
  const strict = decoded.strict.map((text) => ({
    field: /^\w+ field "(.*)"$/.exec(text)?.[1] ?? '',
    text,
    answer: `${unhandled}: strict decoding error`,
    isStrict: true as const,
  }));
  const validated = validateDecoded(server.codec.applyDefaults(decoded.object), row, server);
  return { ...validated, refusals: [...strict, ...validated.refusals] };
}

/** The built-in kinds, and those of the valid definitions among these objects. */
export function servedWith(objects: readonly KubernetesObject[]): ServedKinds {
  const builtin = servedKinds([]);
  const definitions = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((object) => {
      const validated = validateObject(object, builtin);
      return validated.object === undefined || validated.refusals.length > 0 ? [] : [validated.object];
    });
  return servedKinds(definitions);
}

/** Both objects as the API server stores new ones. */
export function validateUpdate(
  { oldObject, object, subresource }: Update,
  kinds: ServedKinds,
): readonly Pick<Refusal, 'field' | 'text'>[] {
  const [old, changed] = [oldObject, object].map((one) => withMetadata(one, { resourceVersion: '1' }));
  const row = kinds.catalogue.forKind({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  if (row === undefined || old === undefined || changed === undefined) return [];
  const { strategy } = kinds.serverOf(row);
  const namespace = metadataOf(old).namespace ?? '';
  const prepared = beforeUpdate(strategy, { object: changed, oldObject: old, subresource, namespace }, context);
  if (!prepared.ok) return [{ field: '', text: prepared.status.message ?? '' }];
  return validateForUpdate(strategy, prepared.value, old, subresource).map((error) => ({
    field: error.field,
    text: fieldErrorText(error),
  }));
}

export interface Update {
  readonly oldObject: KubernetesObject;
  readonly object: KubernetesObject;
  /** '' for the resource itself. */
  readonly subresource: string;
}

/** A manifest read from a server has fields that only the server sets. */
function withoutServerFields(object: KubernetesObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const kept = Object.entries(metadata).filter(([field]) => !serverFields.has(field));
  return object['metadata'] === undefined ? object : { ...object, metadata: Object.fromEntries(kept) };
}

const serverFields: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

function validateDecoded(object: KubernetesObject, row: ResourceInfo, server: KindServer): Validated {
  const stored = server.toStorage(object);
  if (stored === undefined) return { refusals: [] };
  const { name, generateName, namespace = '' } = metadataOf(stored);
  const identified = withMetadata(stored, {
    ...(name === undefined && generateName !== undefined ? { name: `${generateName}00000` } : {}),
    uid: context.newUid(),
    creationTimestamp: '2026-01-01T00:00:00Z',
  });
  const requestNamespace = namespace === '' ? 'default' : namespace;
  const prepared = beforeCreate(server.strategy, identified, row.namespaced ? requestNamespace : '', context);
  if (!prepared.ok) {
    const { code, reason = '', message = '' } = prepared.status;
    return { refusals: [{ field: '', text: message, answer: `${code} ${reason}` }] };
  }
  const texts = new Map(
    validateForCreate(server.strategy, prepared.value).map((error) => [fieldErrorText(error), error]),
  );
  const subject = `${groupKindText(row.storage)} ${goQuote(metadataOf(prepared.value).name ?? '')}`;
  const refusals = [...texts].map(([text, { field }]) => ({ field, text, answer: `422: ${subject} is invalid` }));
  return { refusals, object: prepared.value };
}

/** No other objects are stored, and nothing is random. */
const context: StrategyContext = {
  now: Date.UTC(2026, 0, 1),
  random: () => 0,
  newUid: () => '00000000-0000-4000-8000-000000000000',
  cluster: { get: () => undefined, list: () => [] },
  user: { username: 'kubernetes-admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} },
  serviceClusterIpRange: '10.0.0.0/24',
  dryRun: true,
};
