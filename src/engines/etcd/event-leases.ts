import type { Clock } from '../../apimachinery/clock.ts';
import type { StoreKey } from '../../store/storage.ts';
import type { Connection } from './connection.ts';

/** Events are kept for an hour, --event-ttl's default. */
const eventSeconds = 3600;
/** A lease is used for so long and for so many objects, and lasts as much longer. */
const sharedSeconds = 60;
const sharedBy = 1000;

/** The lease of an Event, '0' for other objects. Follows apiserver pkg/storage/etcd3/lease_manager.go. */
export function createEventLeases(connection: Connection, { now }: Clock): (key: StoreKey) => Promise<string> {
  let current: { readonly id: Promise<string>; readonly until: number; left: number } | undefined;
  return async ({ resource }) => {
    if (resource.resource !== 'events') return '0';
    if (!current || current.left === 0 || current.until < now()) {
      const granted = connection.ask('LeaseGrantRequest', { TTL: eventSeconds + sharedSeconds });
      current = { id: granted.then(({ ID }) => ID), until: now() + sharedSeconds * 1000, left: sharedBy };
      current.id.catch(() => (current = undefined));
    }
    current.left -= 1;
    return current.id;
  };
}
