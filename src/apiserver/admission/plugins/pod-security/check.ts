import { asList, asObject, asString, type JsonObject } from '../../../../machinery/json/json.ts';
import type {
  Container,
  EphemeralContainer,
  PodSecurityContext,
  PodSpec,
  SecurityContext,
} from '../../../../api/types/generated/core-v1.ts';

export interface PodSecurityCheck {
  readonly id: string;
  /** The first minor release that has the check. */
  readonly since: number;
  /** Ids of baseline checks that it replaces. */
  readonly overrides?: readonly string[];
  readonly run: (pod: CheckedPod, minor: number) => Violation | undefined;
}

export interface CheckedPod {
  readonly annotations: JsonObject;
  readonly spec: Partial<PodSpec>;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export const containersOf = ({ spec }: CheckedPod): readonly AnyContainer[] => [
  ...asList(spec.initContainers),
  ...asList(spec.containers),
  ...asList(spec.ephemeralContainers),
];

export type AnyContainer = Container | EphemeralContainer;

export type Holder = Secured<PodSecurityContext | SecurityContext>;

interface Secured<Context> {
  readonly securityContext?: Context;
}

export const securityOf = <Context extends JsonObject>(holder: Secured<Context>): Partial<Context> =>
  asObject(holder.securityContext);

export const quotedNames = (holders: readonly { readonly name?: string }[]): readonly string[] =>
  holders.map(({ name }) => asString(name));

/** `container "a"`, `containers "a", "b"`. */
export const countNames = (word: string, names: readonly string[]): string =>
  `${pluralize(word, `${word}s`, names.length)} ${quoteAll(names)}`;

/** The same for containers. */
export const containersText = (containers: readonly AnyContainer[]): string =>
  countNames('container', quotedNames(containers));

export const pluralize = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** Without escapes. */
export const quoteAll = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

export const sortedUnique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

/** `pod and container "a"`: those that `isSet` holds for; undefined for none. */
export const describeSettersIn = (pod: CheckedPod, isSet: (holder: Holder) => boolean): string | undefined =>
  describeSetters(isSet(pod.spec), containersOf(pod).filter(isSet));

/** The same for a known result. */
export function describeSetters(isPod: boolean, containers: readonly AnyContainer[]): string | undefined {
  const parts = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Since 1.25 some checks exclude Windows pods. */
export const isWindows = ({ spec }: CheckedPod, minor: number): boolean =>
  minor >= 25 && asObject(spec.os).name === 'windows';

/** Pods with user namespaces may run as root inside. */
export const hasOwnUsers = ({ spec }: CheckedPod, minor: number): boolean => minor >= 35 && spec.hostUsers === false;
