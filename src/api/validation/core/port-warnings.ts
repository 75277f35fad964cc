import { append } from '../../../machinery/json/append.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import type { Container, ContainerPort, EphemeralContainer } from '../../types/generated/core-v1.ts';

interface Port {
  readonly path: string;
  readonly port: ContainerPort;
}

type ContainerAt = readonly [Container | EphemeralContainer, path: string];

/** Of no request are so many warnings sent: one has to end somewhere, where each port is in the way of all others. */
const mostWarnings = 1_000;

/** Ports that get in each other's way, in all containers. Follows kubernetes pkg/api/pod/warnings.go. */
export function portWarnings(containers: readonly ContainerAt[]): readonly string[] {
  const ports = containers.flatMap(([container, path]) =>
    asList(container.ports).map((port, index): Port => ({ path: `${path}.ports[${index}]`, port })),
  );
  const byPort = new Map<string, Port[]>();
  const warnings: string[] = [];
  for (const one of ports) {
    const { containerPort, protocol } = one.port;
    const key = `${Number(containerPort ?? 0)}/${asString(protocol)}`;
    const others = byPort.get(key) ?? [];
    append(warnings, lonelyAddress(one));
    append(
      warnings,
      others.flatMap((other) => overlap(one, other)),
    );
    if (others.length === 0) byPort.set(key, others);
    others.push(one);
    if (warnings.length >= mostWarnings) break;
  }
  return warnings;
}

/** A name that several ports have leads to the first of them. */
export function portNameWarnings(containers: readonly ContainerAt[]): readonly string[] {
  const seen = new Map<string, string>();
  return containers.flatMap(([container, path]) =>
    asList(container.ports).flatMap((port, index) => {
      const [name, at] = [asString(port.name), `${path}.ports[${index}]`];
      const first = seen.get(name);
      if (name === '') return [];
      if (first === undefined) seen.set(name, at);
      if (first === undefined || first === at) return [];
      const text = `services and probes that select ports by name will use ${first}`;
      return [`${at}: duplicate port name ${goQuote(name)} with ${first}, ${text}`];
    }),
  );
}

const hostOf = ({ port }: Port): readonly [ip: string, port: number] => [
  asString(port.hostIP),
  Number(port.hostPort ?? 0),
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
