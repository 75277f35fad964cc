import { setImmediate } from 'node:timers/promises';
import { createOwnSignals } from './controllers/own-signals.ts';
import { createSeededRandom, createSeededUids } from './faults/seeded-chance.ts';
import { runInProcess } from './in-process.ts';
import type { InProcessConfig } from './in-process.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { Finished, Observers } from './request/handle.ts';
import type { World } from './scenario/world.ts';
import type { Ground } from './world.ts';
import { createSend, findResource, resourceOf } from './world-session.ts';
import type { Time } from './world-time.ts';
import type { CallAnswerer } from './world-webhooks.ts';

export interface OpenWorldParts {
  readonly time: Time;
  /** Decides uids and chance. */
  readonly seed: number;
  readonly answerer: CallAnswerer;
  /** Told of every request, also those of controllers. */
  readonly finished?: Observers['finished'];
  /** Told of what must never happen. */
  readonly onBug: (error: unknown) => void;
}

/** Uids and chance are drawn apart: one draw more of chance leaves the uids as they are. */
const uidStream = 0x75696473;

/** A world over this ground, which is its own from now on, with its controllers at work. */
export async function openWorld(ground: Ground, config: InProcessConfig, parts: OpenWorldParts): Promise<World> {
  const { time, seed, answerer, finished, onBug } = parts;
  const { clock, drive } = time;
  const newUid = createSeededUids(createSeededRandom(seed + uidStream));
  const left = new WeakMap<ApiRequest, Finished>();
  const { handle, controllers } = await runInProcess(ground, config, {
    ...time,
    newUid,
    random: createSeededRandom(seed),
    callWebhook: answerer.call,
    finished: (one) => {
      left.set(one.request, one);
      finished?.(one);
    },
    onBug,
  });
  await drive(controllers.idle());
  const ending = new AbortController();
  const signals = createOwnSignals(ending.signal);
  return {
    send: createSend({ handle, clock, newUid, drive, signals, finishedOf: (request) => left.get(request) }),
    resourceOf: async (kind) => resourceOf(ground.catalogue, kind),
    findResource: async (name) => findResource(ground.catalogue, name),
    settle: () => drive(controllers.idle()),
    now: clock.now,
    advance: time.advance,
    tells: true,
    close: async () => {
      ending.abort();
      await drive(controllers.close());
      await answerer.close();
      // A thousand worlds without a real wait would keep the process from everything else.
      await setImmediate();
    },
  };
}
