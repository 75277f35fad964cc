import type { FieldError } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { withField } from './resource-rules.ts';

/** The server-set parts of a Service's spec, mutable. */
export interface ServiceDraft {
  type: string;
  clusterIP: string;
  clusterIPs: readonly string[];
  ipFamilies: readonly string[];
  ipFamilyPolicy: string | undefined;
  healthCheckNodePort: number;
  ports: readonly JsonObject[];
  externalTrafficPolicy: JsonValue | undefined;
  internalTrafficPolicy: JsonValue | undefined;
  allocateLoadBalancerNodePorts: JsonValue | undefined;
  loadBalancerClass: JsonValue | undefined;
  hasSelector: boolean;
}

/** Field errors, or an exhausted range. */
export type AllocationFailure = readonly FieldError[] | { readonly exhausted: string };

export function createServiceDraft(service: KubernetesObject): ServiceDraft {
  const spec = asObject(service['spec']);
  return {
    type: asString(spec['type']),
    clusterIP: asString(spec['clusterIP']),
    clusterIPs: asList(spec['clusterIPs']).map(asString),
    ipFamilies: asList(spec['ipFamilies']).map(asString),
    ipFamilyPolicy: readPointer(spec['ipFamilyPolicy']),
    healthCheckNodePort: Number(spec['healthCheckNodePort'] ?? 0),
    ports: asList(spec['ports']).map(asObject),
    externalTrafficPolicy: spec['externalTrafficPolicy'],
    internalTrafficPolicy: spec['internalTrafficPolicy'],
    allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'],
    loadBalancerClass: spec['loadBalancerClass'],
    hasSelector: Object.keys(asObject(spec['selector'])).length > 0,
  };
}

/** A string pointer; the string may be empty. */
export const readPointer = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Omits zero values as Go's encoder does, except behind pointers. */
export function withServiceDraft(service: KubernetesObject, draft: ServiceDraft): KubernetesObject {
  const { type: _type, hasSelector: _hasSelector, ...worked } = draft;
  const fields = Object.fromEntries(
    Object.entries(worked).map(([name, value]) => [name, !pointers.has(name) && isZero(value) ? undefined : value]),
  );
  return withField(service, 'spec', { ...asObject(service['spec']), ...fields });
}

const pointers: ReadonlySet<string> = new Set<keyof ServiceDraft>([
  'ipFamilyPolicy',
  'internalTrafficPolicy',
  'loadBalancerClass',
]);

const isZero = (value: JsonValue | undefined): boolean =>
  value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

export const needsClusterIp = ({ type }: ServiceDraft): boolean => type !== 'ExternalName';
export const needsNodePorts = ({ type }: ServiceDraft): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceDraft): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export const hasNoClusterIP = ({ clusterIP }: ServiceDraft): boolean => clusterIP === 'None';

export const readNodePort = (port: JsonObject): number => Number(port['nodePort'] ?? 0);

export const equalTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

/**
 * Fills in values that the server allocated and the client omitted. Follows kubernetes
 * pkg/registry/core/service/strategy.go patchAllocatedValues.
 */
export function patchAllocatedValues(draft: ServiceDraft, old: ServiceDraft): void {
  if (needsClusterIp(draft) && needsClusterIp(old)) {
    draft.clusterIP ||= old.clusterIP;
    if (draft.clusterIPs.length === 0 && draft.clusterIP === old.clusterIP) draft.clusterIPs = old.clusterIPs;
  }
  if (needsNodePorts(draft) && needsNodePorts(old)) draft.ports = patchNodePorts(draft.ports, old.ports);
  if (needsHealthCheckPort(draft) && needsHealthCheckPort(old)) draft.healthCheckNodePort ||= old.healthCheckNodePort;
}

function patchNodePorts(ports: readonly JsonObject[], oldPorts: readonly JsonObject[]): readonly JsonObject[] {
  const before = new Map(oldPorts.map((port) => [asString(port['name']), readNodePort(port)]));
  const requested = new Set(ports.map(readNodePort));
  const used = new Set(oldPorts.map(readNodePort).filter((port) => requested.has(port)));
  return ports.map((port) => {
    const nodePort = before.get(asString(port['name'])) ?? 0;
    if (readNodePort(port) !== 0 || nodePort === 0 || used.has(nodePort)) return port;
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

/**
 * Synchronizes clusterIP and clusterIPs. Follows kubernetes pkg/registry/core/service/storage/storage.go
 * normalizeClusterIPs.
 */
export function normalizeClusterIps(draft: ServiceDraft, old: ServiceDraft | undefined): void {
  if (!old) {
    if (draft.clusterIP !== '' && draft.clusterIPs.length === 0) draft.clusterIPs = [draft.clusterIP];
    return;
  }
  const same = old.clusterIP === draft.clusterIP;
  if (same && old.clusterIPs.length > 0 && draft.clusterIPs.length === 0) draft.clusterIPs = old.clusterIPs;
  if (same || !equalTexts(old.clusterIPs, draft.clusterIPs)) return;
  const cleared = old.clusterIP !== '' && draft.clusterIP === '';
  draft.clusterIPs = cleared ? [] : [draft.clusterIP];
}

/**
 * Clears unchanged fields that the new type does not have. Follows kubernetes pkg/registry/core/service/strategy.go
 * dropTypeDependentFields.
 */
export function dropTypeDependentFields(draft: ServiceDraft, old: ServiceDraft): void {
  if (needsClusterIp(old) && !needsClusterIp(draft)) dropClusterIpFields(draft, old);
  if (needsNodePorts(old) && !needsNodePorts(draft)) dropNodePortFields(draft, old);
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(draft)) dropUnchanged(draft, old, 'healthCheckNodePort', 0);
  if (old.type !== 'LoadBalancer' || draft.type === 'LoadBalancer') return;
  dropUnchanged(draft, old, 'allocateLoadBalancerNodePorts', undefined);
  dropUnchanged(draft, old, 'loadBalancerClass', undefined);
}

function dropClusterIpFields(draft: ServiceDraft, old: ServiceDraft): void {
  if (old.clusterIP === draft.clusterIP && equalTexts(old.clusterIPs, draft.clusterIPs)) {
    draft.clusterIP = '';
    draft.clusterIPs = [];
  }
  if (equalTexts(old.ipFamilies, draft.ipFamilies)) draft.ipFamilies = [];
  dropUnchanged(draft, old, 'ipFamilyPolicy', undefined);
  dropUnchanged(draft, old, 'internalTrafficPolicy', undefined);
}

function dropNodePortFields(draft: ServiceDraft, old: ServiceDraft): void {
  if (hasSameNodePorts(draft, old)) draft.ports = draft.ports.map(({ nodePort: _nodePort, ...port }) => port);
  dropUnchanged(draft, old, 'externalTrafficPolicy', undefined);
}

function dropUnchanged<K extends keyof ServiceDraft>(
  draft: ServiceDraft,
  old: ServiceDraft,
  field: K,
  empty: ServiceDraft[K],
): void {
  if (draft[field] === old[field]) draft[field] = empty;
}

function hasSameNodePorts(draft: ServiceDraft, old: ServiceDraft): boolean {
  const before = new Set(old.ports.map(readNodePort));
  const now = new Set(draft.ports.map(readNodePort));
  return before.size === now.size && [...now].every((port) => before.has(port));
}
