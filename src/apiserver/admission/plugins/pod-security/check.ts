import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import type { JsonObject } from '../../../../machinery/json/json.ts';
import type {
  Container,
  EphemeralContainer,
  PodSecurityContext,
  PodSpec,
  SecurityContext,
} from '../../../../api/types/generated/core-v1.ts';

/** One rule of the Pod Security Standards. Follows pod-security-admission policy/checks.go. */
export interface Check {
  readonly id: string;
  /** The minor version of 1.x from which on it is asked. */
  readonly since: number;
  /** The rules of level baseline that it makes superfluous. */
  readonly overrides?: readonly string[];
  readonly run: (pod: CheckedPod, minor: number) => Violation | undefined;
}

/** A pod or a pod template. */
export interface CheckedPod {
  readonly annotations: JsonObject;
  readonly spec: Partial<PodSpec>;
}

/** Printed as `reason (detail)`. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** All containers in the order in which upstream visits them. Follows pod-security-admission policy/visitor.go. */
export const containersOf = ({ spec }: CheckedPod): readonly AnyContainer[] => [
  ...asList(spec.initContainers),
  ...asList(spec.containers),
  ...asList(spec.ephemeralContainers),
];

export type AnyContainer = Container | EphemeralContainer;

/** A pod or a container: what both may say of their security. */
export type Holder = Secured<PodSecurityContext | SecurityContext>;

interface Secured<Context> {
  readonly securityContext?: Context;
}

export const securityOf = <Context extends JsonObject>(holder: Secured<Context>): Partial<Context> =>
  asObject(holder.securityContext);

export const namesOf = (holders: readonly { readonly name?: string }[]): readonly string[] =>
  holders.map(({ name }) => asString(name));

/** `container "a"`, `containers "a", "b"`. */
export const counted = (word: string, names: readonly string[]): string =>
  `${plural(word, `${word}s`, names.length)} ${quoted(names)}`;

export const plural = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** Nothing inside is escaped. */
export const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

export const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

/** Who has set something: the pod itself, and these containers; undefined when nobody has. */
export function setters(isPod: boolean, containers: readonly AnyContainer[]): string | undefined {
  const parts = [
    ...(isPod ? ['pod'] : []),
    ...(containers.length > 0 ? [counted('container', namesOf(containers))] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Since 1.25 the rules that mean nothing on Windows are not asked of its pods. */
export const isWindows = ({ spec }: CheckedPod, minor: number): boolean =>
  minor >= 25 && asObject(spec.os).name === 'windows';

/** A pod with users of its own may be root inside. */
export const hasOwnUsers = ({ spec }: CheckedPod, minor: number): boolean => minor >= 35 && spec.hostUsers === false;
