import type { RuleMismatch } from '../../apiserver/admission/chain/skip-reason.ts';
import { asList, asObject } from '../../machinery/json/json.ts';
import type { TracedRequest, TracedWebhook } from '../trace/trace.ts';

/** How close a skipped webhook was to being called. */
export type Nearness =
  /** One clause did not match, and it is one that is often wrong. */
  | 'near'
  /** It is for other requests. */
  | 'far';

/**
 * A selector or condition that did not match, or a rule for the resource that differs in one part, is a near miss; a
 * rule for another resource is not.
 */
export function nearnessOf(
  { reason, definition }: Pick<TracedWebhook, 'reason' | 'definition'>,
  request: TracedRequest,
): Nearness {
  if (reason === undefined || reason.because === 'not-reinvoked' || reason.because === 'exempt') return 'far';
  if (reason.because === 'namespaceSelector' || reason.because === 'objectSelector') {
    return reason.rulesMatch ? 'near' : 'far';
  }
  if (reason.because !== 'no-rule-matched') return 'near';
  return reason.nearest === null || isNearRule(reason.nearest, request, definition) ? 'near' : 'far';
}

function isNearRule(
  { rule, parts }: RuleMismatch,
  request: TracedRequest,
  definition: TracedWebhook['definition'],
): boolean {
  const { resource } = request;
  const [only] = parts;
  if (subresourceAsResource(parts, request)) return true;
  if (parts.length !== 1 || only === undefined) return false;
  if (only.part === 'resource') {
    return only.wants.some((wanted) => wanted === '*' || isNearlyNamed(parentResource(wanted), resource));
  }
  // Rules rarely name DELETE or CONNECT.
  if (only.part === 'operation' && only.has !== 'CREATE' && only.has !== 'UPDATE') return false;
  const named = asList(asObject(asList(definition?.['rules'])[rule])['resources']);
  // A rule for all resources of one group is not for another group.
  return only.part !== 'apiGroup' || !named.every((name) => name === '*' || name === '*/*');
}

/** A rule for the kind of the subresource, such as `scales` of group autoscaling for deployments/scale. */
export const subresourceAsResource = (parts: RuleMismatch['parts'], { subresource }: TracedRequest): boolean =>
  subresource !== '' &&
  parts.every(({ part }) => part === 'apiGroup' || part === 'resource') &&
  parts.some((one) => one.part === 'resource' && one.wants.some((wanted) => isNearlyNamed(wanted, subresource)));

const parentResource = (resource: string): string => resource.split('/')[0] ?? '';

/** `Pod`, `pod` and `PODS` for `pods`; the resource itself when only the subresource differs. */
export const isNearlyNamed = (wanted: string, resource: string): boolean => singularOf(wanted) === singularOf(resource);

/** `pod`, `ingress`, `policy`. */
export const singularOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxh])es$|s$/, '');
