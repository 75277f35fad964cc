import { asString, type JsonObject } from '../../machinery/json/json.ts';
import { needsClusterIp, needsHealthCheckPort, needsNodePorts, nodePortOf, sameTexts } from './service-spec.ts';
import type { ServiceDraft } from './service-spec.ts';

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
  const before = new Map(oldPorts.map((port) => [asString(port['name']), nodePortOf(port)]));
  const asked = new Set(ports.map(nodePortOf));
  const used = new Set(oldPorts.map(nodePortOf).filter((port) => asked.has(port)));
  return ports.map((port) => {
    const nodePort = before.get(asString(port['name'])) ?? 0;
    if (nodePortOf(port) !== 0 || nodePort === 0 || used.has(nodePort)) return port;
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
  if (same || !sameTexts(old.clusterIPs, draft.clusterIPs)) return;
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
  if (old.clusterIP === draft.clusterIP && sameTexts(old.clusterIPs, draft.clusterIPs)) {
    draft.clusterIP = '';
    draft.clusterIPs = [];
  }
  if (sameTexts(old.ipFamilies, draft.ipFamilies)) draft.ipFamilies = [];
  dropUnchanged(draft, old, 'ipFamilyPolicy', undefined);
  dropUnchanged(draft, old, 'internalTrafficPolicy', undefined);
}

function dropNodePortFields(draft: ServiceDraft, old: ServiceDraft): void {
  if (sameNodePorts(draft, old)) draft.ports = draft.ports.map(({ nodePort: _nodePort, ...port }) => port);
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

function sameNodePorts(draft: ServiceDraft, old: ServiceDraft): boolean {
  const before = new Set(old.ports.map(nodePortOf));
  const now = new Set(draft.ports.map(nodePortOf));
  return before.size === now.size && [...now].every((port) => before.has(port));
}
