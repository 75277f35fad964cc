import type { CallTarget } from '../admission/webhooks/call-target.ts';

/** One `--map`: where what a clientConfig names really listens. */
export interface Mapping {
  /** `NAMESPACE/SERVICE[:PORT]`, `NAMESPACE/*`, `https://HOST[:PORT]`, or `*` for every Service. */
  readonly from: string;
  readonly url: string;
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
  readonly forService: (wanted: WantedService) => URL | undefined;
  /** Where the host of a url listens: by its own name, or that of the Service that it is in a cluster. */
  readonly forHost: (target: Pick<CallTarget, 'scheme' | 'host' | 'port'>) => URL | undefined;
}

export function createMappings(first: readonly Mapping[]): Mappings {
  const known = new Map(first.map(({ from, url }) => [from, url]));
  const find = (names: readonly string[]): URL | undefined => {
    const url = names.flatMap((name) => known.get(name) ?? [])[0];
    return url === undefined ? undefined : new URL(url);
  };
  return {
    list: () => [...known].map(([from, url]) => ({ from, url })),
    set: ({ from, url }) => void known.set(from, url),
    remove: (from) => known.delete(from),
    forService: (wanted) => find(namesOf(wanted)),
    forHost: (target) => {
      const service = serviceOf(target);
      return find([originOf(target), ...(service ? namesOf(service) : [])]);
    },
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
