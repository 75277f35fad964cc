import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import type { JsonObject } from '../../../../machinery/json/json.ts';
import { hasEntries, withMissing } from '../../../../machinery/json/map-entries.ts';
import type { Container, LimitRangeItem } from '../../../../api/types/generated/core-v1.ts';

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
  const defaults: Defaults = {
    requests: inOrder(merged(ofContainers.map(({ defaultRequest }) => asObject(defaultRequest)))),
    limits: inOrder(merged(ofContainers.map((limit) => asObject(limit.default)))),
  };
  const defaulted = asList(containers).map((container) => containerWith(asObject(container), what, defaults));
  const notes = defaulted.flatMap((container) => container.notes);
  return { containers: notes.length === 0 ? containers : defaulted.map(({ container }) => container), notes };
}

const merged = (lists: readonly JsonObject[]): JsonObject =>
  lists.reduce<JsonObject>((all, list) => ({ ...all, ...list }), {});

/** Lists of resources, made ready once: a Pod may have ten thousand containers. */
interface Defaults {
  readonly requests: ListInOrder;
  readonly limits: ListInOrder;
}

interface ListInOrder {
  readonly list: JsonObject;
  readonly names: readonly string[];
}

const inOrder = (list: JsonObject): ListInOrder => ({ list, names: Object.keys(list).toSorted() });

function containerWith(
  container: Container,
  what: string,
  defaults: Defaults,
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
  return {
    container: {
      ...container,
      resources: { ...resources, ...filled('requests', requests, defaults), ...filled('limits', limits, defaults) },
    },
    notes,
  };
}

/** Nothing where there is nothing to print. */
function filled(what: 'requests' | 'limits', given: JsonObject, defaults: Defaults): JsonObject | undefined {
  const list = withMissing(given, defaults[what].list);
  return hasEntries(list) ? { [what]: list } : undefined;
}

const missingIn = (list: JsonObject, { names }: ListInOrder): readonly string[] =>
  names.filter((name) => !Object.hasOwn(list, name));

const noteOf = (names: readonly string[], subject: string): readonly string[] =>
  names.length === 0 ? [] : [`${names.join(', ')} ${subject}`];
