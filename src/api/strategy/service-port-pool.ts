import type { Random } from '../../machinery/clock.ts';
import { asList, asObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { pick } from './address-ranges.ts';
import type { Band } from './address-ranges.ts';

/** The node ports one request may take. What it takes is remembered, so that it takes nothing twice. */
export interface NodePorts {
  /** A free port, or undefined when there is none left. */
  readonly next: () => number | undefined;
  /** Takes this very port; says why it cannot, or `''`. */
  readonly take: (port: number) => string;
}

const ports: Band = { first: 30000, last: 32767, staticBand: 86 };

/**
 * The node ports that `services` have left free. They are handed out at random from above the band that is meant for requested
 * ones, and from the band when the rest is full. Follows kubernetes pkg/registry/core/service/portallocator/allocator.go.
 */
export function createNodePorts(services: readonly KubernetesObject[], random: Random): NodePorts {
  const taken = new Set(services.flatMap(nodePortsOf));
  return {
    next: () => {
      const free = pick(ports, random, (port) => !taken.has(port));
      if (free !== undefined) taken.add(free);
      return free;
    },
    take: (port) => {
      if (port < ports.first || port > ports.last) {
        return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
      }
      if (taken.has(port)) return alreadyAllocated;
      taken.add(port);
      return '';
    },
  };
}

/**
 * The node ports of a dry run, which takes none: any number will do, in range or not, unless a Service has it. One that is not
 * asked for is the next after the highest so far. Follows kubernetes pkg/registry/core/service/portallocator/operation.go.
 */
export function dryRunNodePorts(services: readonly KubernetesObject[]): NodePorts {
  const taken = new Set(services.flatMap(nodePortsOf).filter((port) => port >= ports.first && port <= ports.last));
  const allocated = new Set<number>();
  const take = (port: number): string => {
    if (taken.has(port) || allocated.has(port)) return alreadyAllocated;
    allocated.add(port);
    return '';
  };
  return {
    take,
    next: () => {
      const highest = allocated.size === 0 ? 32768 : Math.max(...allocated);
      for (let port = highest + 1; port < 100; port += 1) if (take(port) === '') return port;
      allocated.add(highest + 1);
      return highest + 1;
    },
  };
}

const alreadyAllocated = 'provided port is already allocated';

function nodePortsOf(service: KubernetesObject): readonly number[] {
  const spec = asObject(service['spec']);
  const nodePorts = asList(spec['ports']).map((port) => Number(asObject(port)['nodePort'] ?? 0));
  return [...nodePorts, Number(spec['healthCheckNodePort'] ?? 0)].filter((port) => port !== 0);
}
