import type { Clock } from '../../../machinery/clock.ts';
import type { Connection } from './connection.ts';

/** What is older may be forgotten, --etcd-compaction-interval's default. */
const intervalMs = 5 * 60_000;

/**
 * Has etcd forget what happened before the last interval, as kube-apiserver does; where several do so, the first does it for
 * all. What is returned ends it. Follows apiserver pkg/storage/etcd3/compact.go.
 */
export function compactNowAndThen(connection: Connection, clock: Clock): () => void {
  const ended = new AbortController();
  let before = 0;
  const compact = async (): Promise<void> => {
    const { header } = await connection.call('RangeRequest', { key: Buffer.from('compact_rev_key') });
    const revision = before;
    before = header.revision;
    if (revision > 0) await connection.call('CompactionRequest', { revision });
  };
  const again = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      // Who is out of reach, or has forgotten already, is asked the next time.
      await compact().catch(() => undefined);
      await clock.sleep(intervalMs, ended.signal);
    }
  };
  void again();
  return () => ended.abort();
}
