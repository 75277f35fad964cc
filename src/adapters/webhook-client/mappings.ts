import type { CallTarget } from '../../apiserver/admission/webhooks/call.ts';
import type { Mapping } from '../config/mapping.ts';

export interface MappingTarget extends Pick<Mapping, 'program'> {
  readonly url: URL;
}

export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface Mappings {
  readonly list: () => readonly Mapping[];
  /** Replaces the mapping with the same `from`. */
  readonly set: (mapping: Mapping) => void;
  /** True if it existed. */
  readonly remove: (from: string) => boolean;
  /** The target of a Service; the narrowest mapping wins. */
  readonly forService: (wanted: ServicePort) => MappingTarget | undefined;
  /** The target of a URL's host: by its name, or by the Service that the name denotes in a cluster. */
  readonly forHost: (target: Pick<CallTarget, 'scheme' | 'host' | 'port'>) => MappingTarget | undefined;
}

export function createMappings(first: readonly Mapping[]): Mappings {
  const known = new Map(first.map((mapping) => [mapping.from, mapping]));
  // Runs for every call; most servers have no mappings.
  const find = (names: () => readonly string[]): MappingTarget | undefined => {
    const mapping = known.size === 0 ? undefined : names().flatMap((name) => known.get(name) ?? [])[0];
    return mapping && { ...mapping, url: new URL(mapping.url) };
  };
  return {
    list: () => [...known.values()],
    set: (mapping) => void known.set(mapping.from, mapping),
    remove: (from) => known.delete(from),
    forService: (wanted) => find(() => namesOf(wanted)),
    forHost: (target) =>
      find(() => {
        const service = serviceOf(target);
        return [originOf(target), ...(service ? namesOf(service) : [])];
      }),
  };
}

const namesOf = ({ namespace, name, port }: ServicePort): readonly string[] => [
  `${namespace}/${name}:${port}`,
  `${namespace}/${name}`,
  `${namespace}/*`,
  '*',
];

/** Like `URL.origin`: without a default port; '' for an invalid port. */
function originOf({ scheme, host, port }: Pick<CallTarget, 'scheme' | 'host' | 'port'>): string {
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The Service of a cluster DNS name. */
function serviceOf({ host, port }: Pick<CallTarget, 'host' | 'port'>): ServicePort | undefined {
  const { name, namespace } =
    /^(?<name>[^.]+)\.(?<namespace>[^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(host)?.groups ?? {};
  return name === undefined || namespace === undefined ? undefined : { namespace, name, port };
}
