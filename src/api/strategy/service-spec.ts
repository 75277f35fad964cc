import type { FieldError } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { withField } from './with-field.ts';

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

export function serviceDraftOf(service: KubernetesObject): ServiceDraft {
  const spec = asObject(service['spec']);
  return {
    type: asString(spec['type']),
    clusterIP: asString(spec['clusterIP']),
    clusterIPs: asList(spec['clusterIPs']).map(asString),
    ipFamilies: asList(spec['ipFamilies']).map(asString),
    ipFamilyPolicy: behindPointer(spec['ipFamilyPolicy']),
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
export const behindPointer = (value: JsonValue | undefined): string | undefined =>
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

export const isHeadless = ({ clusterIP }: ServiceDraft): boolean => clusterIP === 'None';

export const nodePortOf = (port: JsonObject): number => Number(port['nodePort'] ?? 0);

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
