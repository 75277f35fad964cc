import { goQuote } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

interface Port {
  readonly path: string;
  readonly port: JsonObject;
}

/** Ports that get in each other's way, in all containers. Follows kubernetes pkg/api/pod/warnings.go. */
export function portWarnings(containers: readonly (readonly [JsonObject, path: string])[]): readonly string[] {
  const seen = new Map<string, Port[]>();
  const ports = containers.flatMap(([container, path]) =>
    asList(container['ports']).map((port, index): Port => ({ path: `${path}.ports[${index}]`, port: asObject(port) })),
  );
  return ports.flatMap((one) => {
    const { containerPort, protocol } = one.port;
    const key = `${Number(containerPort ?? 0)}/${asString(protocol)}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, one]);
    return [...lonelyAddress(one), ...others.flatMap((other) => overlap(one, other))];
  });
}

/** A name that several ports have leads to the first of them. */
export function portNameWarnings(containers: readonly (readonly [JsonObject, path: string])[]): readonly string[] {
  const seen = new Map<string, string>();
  return containers.flatMap(([container, path]) =>
    asList(container['ports']).flatMap((port, index) => {
      const [name, at] = [asString(asObject(port)['name']), `${path}.ports[${index}]`];
      const first = seen.get(name);
      if (name === '') return [];
      if (first === undefined) seen.set(name, at);
      const text = `services and probes that select ports by name will use ${first}`;
      return first === undefined ? [] : [`${at}: duplicate port name ${goQuote(name)} with ${first}, ${text}`];
    }),
  );
}

const hostOf = ({ port }: Port): readonly [ip: string, port: number] => [
  asString(port['hostIP']),
  Number(port['hostPort'] ?? 0),
];

function lonelyAddress(one: Port): readonly string[] {
  const [hostIP, hostPort] = hostOf(one);
  if (hostIP === '' || hostPort !== 0) return [];
  const { name, containerPort, protocol } = one.port;
  const printed = `{Name:${asString(name)} HostPort:0 ContainerPort:${Number(containerPort ?? 0)} Protocol:${asString(protocol)} HostIP:${hostIP}}`;
  return [`${one.path}: hostIP set without hostPort: ${printed}`];
}

function overlap(one: Port, other: Port): readonly string[] {
  const [[ip, port], [otherIp, otherPort]] = [hostOf(one), hostOf(other)];
  if (ip === otherIp && port === otherPort) return [`${one.path}: duplicate port definition with ${other.path}`];
  if (port === 0 || otherPort === 0) return [`${one.path}: overlapping port definition with ${other.path}`];
  const isAmbiguous = port === otherPort && (ip === '') !== (otherIp === '');
  return isAmbiguous ? [`${one.path}: dangerously ambiguous port definition with ${other.path}`] : [];
}
