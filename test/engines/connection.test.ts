import { expect, test } from 'vitest';
import { connect } from '../../src/engines/etcd/connection.ts';
import { StorageUnavailable } from '../../src/store/storage-unavailable.ts';

// Regression: gRPC's own error for a channel that is shut down was told of as a bug.
test('who asks a closed connection is told that the storage is not there', async () => {
  const connection = connect({ servers: ['http://127.0.0.1:1'] });
  connection.close();
  await expect(connection.ask('RangeRequest', { key: Buffer.from('/a') })).rejects.toBeInstanceOf(StorageUnavailable);
});
