import { createStubRegistry } from '../../testing/stubs/create-stub-registry.ts';
import type { StubRegistry, ReceivedCall } from '../../testing/stubs/stub-registry.ts';
import type { Fault, WebhookSpec } from '../../testing/stubs/webhook-spec.ts';

/** A registry whose webhooks can be added and removed. */
export interface WebhookRegistry extends Pick<StubRegistry, 'receive' | 'find'> {
  /** Replaces one of the same name and configuration. */
  readonly add: (spec: WebhookSpec) => RegistryEntry;
  readonly specs: () => readonly WebhookSpec[];
  readonly clear: () => void;
}

export interface RegistryEntry {
  readonly calls: () => readonly ReceivedCall[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** `seed`: of faults with a probability. */
export function createWebhookRegistry(seed: number): WebhookRegistry {
  // Each webhook has a registry of its own.
  const boards = new Map<string, StubRegistry>();
  const boardFor = (name: string, configuration = ''): StubRegistry | undefined =>
    boards.get(keyOf({ name, configuration })) ??
    boards.get(keyOf({ name })) ??
    [...boards.values()].find((board) => configuration === '' && board.find(name, undefined));
  return {
    receive: (arrival) => boardFor(arrival.webhook, arrival.configuration)?.receive(arrival),
    find: (name, configuration) => boardFor(name, configuration)?.find(name, configuration),
    add: (spec) => {
      const board = createStubRegistry([spec], seed);
      const key = keyOf(spec);
      boards.set(key, board);
      return {
        calls: board.calls,
        setFaults: (faults) => board.configure(spec.name, { faults }),
        remove: () => {
          if (boards.get(key) === board) boards.delete(key);
        },
      };
    },
    specs: () => [...boards.values()].flatMap((board) => board.specs()),
    clear: () => boards.clear(),
  };
}

const keyOf = ({ name, configuration = '' }: Pick<WebhookSpec, 'name' | 'configuration'>): string =>
  `${configuration}/${name}`;
