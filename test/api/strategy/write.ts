import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import { readJson } from '../../../src/machinery/json/json-reader.ts';
import { type KubernetesObject, withMetadata } from '../../../src/machinery/meta/object.ts';
import { invalid } from '../../../src/machinery/meta/status.ts';
import type { FieldError } from '../../../src/machinery/meta/field-error.ts';
import {
  type StrategyContext,
  beforeCreate,
  beforeUpdate,
  validateForCreate,
  validateForUpdate,
} from '../../../src/api/strategy/strategy.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const { applyDefaults } = recordedRelease.codec;

const catalogue = recordedRelease.createCatalogue();

/** Anything that looks like a manifest. */
export interface Manifest {
  readonly [field: string]: unknown;
}

export const contextWith = (stored: readonly KubernetesObject[] = [], random = 0): StrategyContext => ({
  now: Date.UTC(2026, 0, 2, 3, 4, 5),
  random: () => random,
  newUid: () => '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  cluster: {
    get: () => undefined,
    list: (resource) => stored.filter((object) => strategyName(object) === resource.resource),
  },
  user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'], extra: {} },
  serviceClusterIpRange: '10.0.0.0/24',
  dryRun: false,
});

const strategyName = (object: KubernetesObject): string => rowOf(object).resource;

const kindOf = (object: Manifest): { readonly group: string; readonly version: string; readonly kind: string } => ({
  ...parseApiVersion(String(object['apiVersion'])),
  kind: String(object['kind']),
});

function rowOf(object: Manifest) {
  const row = catalogue.forKind(kindOf(object));
  if (!row) throw new Error(`no resource for ${JSON.stringify(kindOf(object))}`);
  return row;
}

/** The manifest as admission first sees it: decoded, defaulted, in a namespace if it needs one. */
export function decoded(manifest: Manifest): KubernetesObject {
  const reading = readJson(JSON.stringify(manifest));
  if (reading.outcome !== 'read') throw new Error(reading.error);
  const result = recordedRelease.codec.decode(reading.json, kindOf(manifest));
  if (result.outcome !== 'decoded') throw new Error(result.error);
  const { object } = result;
  return applyDefaults(rowOf(manifest).namespaced ? withMetadata(object, { namespace: 'ns' }) : object);
}

/** The object with what it takes from elsewhere before it is prepared; a Service gets addresses, without objects for them. */
export async function begun(
  object: KubernetesObject,
  old?: KubernetesObject,
  context = contextWith(),
): Promise<KubernetesObject> {
  const { begin } = recordedRelease.strategyFor(rowOf(object).storage);
  const api = (): never => {
    throw new Error('asked the server');
  };
  const result = await begin?.(object, old, context, { api, hasIpAddresses: false });
  if (result && !result.ok) throw new Error(result.status.message);
  return result?.value.object ?? object;
}

/** A decoded object as validating admission sees it, or the message it is refused with. */
export function create(object: KubernetesObject, context = contextWith()): KubernetesObject | string {
  const row = rowOf(object);
  const strategy = recordedRelease.strategyFor(row.storage);
  const filled = withMetadata(object, { uid: 'the-uid', creationTimestamp: '2026-01-02T03:04:05Z' });
  const prepared = beforeCreate(strategy, filled, row.namespaced ? 'ns' : '', context);
  if (!prepared.ok) return prepared.status.message ?? '';
  return refusal(prepared.value, validateForCreate(strategy, prepared.value)) ?? prepared.value;
}

/** The same for an update of what `create` returned; `subresource` is '' for the resource itself. */
export function update(
  object: KubernetesObject,
  old: KubernetesObject,
  subresource = '',
  context = contextWith(),
): KubernetesObject | string {
  const row = rowOf(object);
  const strategy = recordedRelease.strategyFor(row.storage);
  const input = { object, oldObject: old, subresource, namespace: row.namespaced ? 'ns' : '' };
  const prepared = beforeUpdate(strategy, input, context);
  if (!prepared.ok) return prepared.status.message ?? '';
  return refusal(prepared.value, validateForUpdate(strategy, prepared.value, old, subresource)) ?? prepared.value;
}

function refusal(object: KubernetesObject, errors: readonly FieldError[]): string | undefined {
  if (errors.length === 0) return undefined;
  return invalid(kindOf(object), object.metadata?.name ?? '', errors).message;
}

/** An object that is known to be accepted. */
export function accepted(result: KubernetesObject | string): KubernetesObject {
  if (typeof result === 'string') throw new Error(result);
  return result;
}

/** What creating this manifest says: the refusal, or `created`. */
export function creating(manifest: Manifest): string {
  const result = create(decoded(manifest));
  return typeof result === 'string' ? result : 'created';
}
