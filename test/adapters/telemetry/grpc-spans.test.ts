import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FinishedRequest } from '../../../src/apiserver/request/handle.ts';
import { createSpanSender } from '../../../src/adapters/telemetry/span-sender.ts';
import { traceContextOf } from '../../../src/adapters/telemetry/propagation.ts';
import { createTestWorld } from '../../harness/world.ts';

/** Takes what is exported; how many bytes each time. */
async function collector() {
  const sizes: number[] = [];
  const server = new Server();
  server.addService(
    {
      Export: {
        path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
        requestStream: false,
        responseStream: false,
        requestDeserialize: (bytes: Buffer) => bytes,
        requestSerialize: (bytes: Buffer) => bytes,
        responseSerialize: () => Buffer.alloc(0),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      Export: (call: { readonly request: Buffer }, done: (error: null, answer: object) => void) => {
        sizes.push(call.request.length);
        done(null, {});
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return { url: `127.0.0.1:${port}`, sizes };
}

async function finishedRead(traceparent?: string): Promise<FinishedRequest> {
  const world = await createTestWorld();
  await world.send('GET', '/api/v1/nodes', undefined, traceparent === undefined ? {} : { headers: { traceparent } });
  const [finished] = world.finished;
  if (!finished) throw new Error('nothing finished');
  const { as: _inside, ...request } = finished.request;
  return { ...finished, request };
}

const wanted = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

// Source: component-base tracing/utils.go: ParentBased(TraceIDRatioBased).
test.each([
  { fact: 'all that begin here', share: 1, traceparent: undefined, exported: 1 },
  { fact: 'none that begins here', share: 0, traceparent: undefined, exported: 0 },
  { fact: 'what a client began', share: 0, traceparent: wanted, exported: 1 },
  { fact: 'what a client does not want', share: 1, traceparent: wanted.replace(/1$/, '0'), exported: 0 },
])('by gRPC goes $fact', async ({ share, traceparent, exported }) => {
  const { url, sizes } = await collector();
  const lines: string[] = [];
  const sender = createSpanSender({ now: () => 7, logError: (line) => lines.push(line), target: { url, share } });
  sender.finished(await finishedRead(traceparent));
  await sender.close();
  // The end does not wait for long; what is on its way comes.
  await vi.waitFor(() => expect(sizes).toHaveLength(exported), 10_000);
  expect(lines).toEqual([]);
});

test('a share is a share', () => {
  const sampled = Array.from({ length: 1000 }, (_none, index) =>
    traceContextOf({ headers: {}, auditId: `audit-${index}` }, 0.25),
  ).filter(({ isSampled }) => isSampled);
  expect(sampled.length).toBeGreaterThan(200);
  expect(sampled.length).toBeLessThan(300);
});
