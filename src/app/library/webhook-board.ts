import { createSwitchboard } from '../../testing/stubs/create-switchboard.ts';
import type { Switchboard, SwitchboardCall } from '../../testing/stubs/switchboard.ts';
import type { Fault, WebhookSpec } from '../../testing/stubs/webhook-spec.ts';

/** A switchboard whose webhooks come and go while it is in use. */
export interface WebhookBoard extends Pick<Switchboard, 'receive' | 'find'> {
  /** Replaces one of the same name and configuration. */
  readonly add: (spec: WebhookSpec) => BoardEntry;
  readonly specs: () => readonly WebhookSpec[];
  readonly clear: () => void;
}

export interface BoardEntry {
  readonly calls: () => readonly SwitchboardCall[];
  readonly setFaults: (faults: readonly Fault[]) => void;
  readonly remove: () => void;
}

/** `seed` decides the faults that have a probability. */
export function createWebhookBoard(seed: number): WebhookBoard {
  // Each webhook has a switchboard of its own.
  const boards = new Map<string, Switchboard>();
  const boardFor = (name: string, configuration = ''): Switchboard | undefined =>
    boards.get(keyOf({ name, configuration })) ??
    boards.get(keyOf({ name })) ??
    [...boards.values()].find((board) => configuration === '' && board.find(name, undefined));
  return {
    receive: (arrival) => boardFor(arrival.webhook, arrival.configuration)?.receive(arrival),
    find: (name, configuration) => boardFor(name, configuration)?.find(name, configuration),
    add: (spec) => {
      const board = createSwitchboard([spec], seed);
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
