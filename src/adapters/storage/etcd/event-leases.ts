import type { Clock } from '../../../machinery/clock.ts';
import type { StoreKey } from '../../../apiserver/storage/storage.ts';
import type { Connection } from './connection.ts';

interface Life {
  readonly clock: Clock;
  /** For how long Events are kept, in milliseconds; 0: for good. */
  readonly eventTtl: number;
}

/** A lease is used for this share of its time, a minute at most, and for so many objects; it lasts as much longer. */
const sharedShare = 0.05;
const sharedSeconds = 60;
const sharedBy = 1000;

/** The lease of an Event, '0' for other objects. Follows apiserver pkg/storage/etcd3/lease_manager.go. */
export function createEventLeases(
  connection: Pick<Connection, 'call'>,
  { clock: { now }, eventTtl }: Life,
): (key: StoreKey) => Promise<string> {
  const ttl = Math.floor(eventTtl / 1000);
  const shared = Math.min(Math.floor(sharedShare * ttl), sharedSeconds);
  let current: { readonly id: Promise<string>; readonly until: number; left: number } | undefined;
  return async ({ resource }) => {
    if (resource.resource !== 'events' || ttl === 0) return '0';
    if (!current || current.left === 0 || current.until <= now()) {
      const granted = connection.call('LeaseGrantRequest', { TTL: ttl + shared });
      current = { id: granted.then(({ ID }) => ID), until: now() + shared * 1000, left: sharedBy };
      current.id.catch(() => (current = undefined));
    }
    current.left -= 1;
    return current.id;
  };
}
