import type { CallTarget } from '../../apiserver/admission/webhooks/call-target.ts';

/** One `--map`: where what a clientConfig names really listens. */
export interface Mapping {
  /** `NAMESPACE/SERVICE[:PORT]`, `NAMESPACE/*`, `https://HOST[:PORT]`, or `*` for every Service. */
  readonly from: string;
  readonly url: string;
  /** Who listens there, as `kadmit run` says of what it started. */
  readonly program?: string;
}

/** Where a mapping leads, and who listens there. */
export interface Led extends Pick<Mapping, 'program'> {
  readonly url: URL;
}

export interface WantedService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The mappings as they are now. */
export interface Mappings {
  readonly list: () => readonly Mapping[];
  /** Takes the place of one with the same `from`. */
  readonly set: (mapping: Mapping) => void;
  /** Was there one? */
  readonly remove: (from: string) => boolean;
  /** Where a Service listens; undefined when nothing says so. The narrowest counts. */
  readonly forService: (wanted: WantedService) => Led | undefined;
  /** Where the host of a url listens: by its own name, or that of the Service that it is in a cluster. */
  readonly forHost: (target: Pick<CallTarget, 'scheme' | 'host' | 'port'>) => Led | undefined;
}

export function createMappings(first: readonly Mapping[]): Mappings {
  const known = new Map(first.map((mapping) => [mapping.from, mapping]));
  // Asked for every call of a webhook, and most servers have none.
  const find = (names: () => readonly string[]): Led | undefined => {
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

const namesOf = ({ namespace, name, port }: WantedService): readonly string[] => [
  `${namespace}/${name}:${port}`,
  `${namespace}/${name}`,
  `${namespace}/*`,
  '*',
];

/** As `URL.origin` has it: without the port that goes without saying; empty for a port that is none. */
function originOf({ scheme, host, port }: Pick<CallTarget, 'scheme' | 'host' | 'port'>): string {
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The Service that a name of the cluster's DNS means. */
function serviceOf({ host, port }: Pick<CallTarget, 'host' | 'port'>): WantedService | undefined {
  const { name, namespace } =
    /^(?<name>[^.]+)\.(?<namespace>[^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(host)?.groups ?? {};
  return name === undefined || namespace === undefined ? undefined : { namespace, name, port };
}
