import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { withMissing } from '../../schema/defaults/map-entries.ts';
import type { Container, LimitRangeItem } from '../../schema/generated/core-v1.ts';

interface Defaulted {
  readonly containers: readonly Container[] | null | undefined;
  /** `cpu, memory request for container c`. */
  readonly notes: readonly string[];
}

/**
 * The containers with the requests and limits that a LimitRange fills in; the same list when nothing was missing.
 * Follows kubernetes plugin/pkg/admission/limitranger/admission.go mergeContainerResources.
 */
export function containerDefaults(
  containers: readonly Container[] | null | undefined,
  what: string,
  limits: readonly LimitRangeItem[],
): Defaulted {
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const defaults = {
    requests: merged(ofContainers.map(({ defaultRequest }) => asObject(defaultRequest))),
    limits: merged(ofContainers.map((limit) => asObject(limit.default))),
  };
  const defaulted = asList(containers).map((container) => containerWith(asObject(container), what, defaults));
  const notes = defaulted.flatMap((container) => container.notes);
  return { containers: notes.length === 0 ? containers : defaulted.map(({ container }) => container), notes };
}

const merged = (lists: readonly JsonObject[]): JsonObject =>
  lists.reduce<JsonObject>((all, list) => ({ ...all, ...list }), {});

function containerWith(
  container: Container,
  what: string,
  defaults: { readonly requests: JsonObject; readonly limits: JsonObject },
): { readonly container: Container; readonly notes: readonly string[] } {
  const resources = asObject(container.resources);
  const requests = asObject(resources.requests);
  const limits = asObject(resources.limits);
  const subject = `${what} ${asString(container.name)}`;
  const notes = [
    ...noteOf(missingIn(requests, defaults.requests), `request for ${subject}`),
    ...noteOf(missingIn(limits, defaults.limits), `limit for ${subject}`),
  ];
  if (notes.length === 0) return { container, notes };
  const filled = { requests: withMissing(requests, defaults.requests), limits: withMissing(limits, defaults.limits) };
  const printed = Object.fromEntries(Object.entries(filled).filter(([, list]) => Object.keys(list).length > 0));
  return {
    container: { ...container, resources: { ...resources, ...printed } },
    notes,
  };
}

const missingIn = (list: JsonObject, defaults: JsonObject): readonly string[] =>
  Object.keys(defaults)
    .filter((name) => !Object.hasOwn(list, name))
    .toSorted();

const noteOf = (names: readonly string[], subject: string): readonly string[] =>
  names.length === 0 ? [] : [`${names.join(', ')} ${subject}`];
