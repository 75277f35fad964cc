import { randomUUID } from 'node:crypto';
import type { Apiserver } from './start.ts';
import { abortReason } from '../../controllers/abort-signals.ts';
import type { OpenWorld } from '../in-process/open-world.ts';
import { answersOf, createSession } from '../compose/session.ts';
import { realTime } from '../in-process/time.ts';

/** A running server as a world, without TLS and sockets. Closing it closes the server. */
export function serverSession({ instance, traces, close }: Apiserver): OpenWorld {
  const ending = new AbortController();
  const { clock, drive } = realTime;
  const api = (): ReturnType<typeof instance.api> => instance.api();
  const ports = { handle: instance.handle, clock, newUid: randomUUID, drive, ending: ending.signal };
  return {
    ...createSession(() => api().clusterState.catalogue, {
      ...ports,
      answer: answersOf(instance.handle, traces.get),
      newAuditId: randomUUID,
    }),
    settle: instance.settle,
    now: clock.now,
    advance: realTime.advance,
    hasTraces: true,
    load: (loader) => loader({ ...ports, api: api() }, { idle: instance.settle }),
    close: async () => {
      ending.abort(abortReason);
      await close();
    },
  };
}
