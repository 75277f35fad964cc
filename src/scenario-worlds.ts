import { setTimeout as sleepFor } from 'node:timers/promises';
import type { CallWebhook } from './admission/webhooks/call.ts';
import type { ClusterView } from './apimachinery/cluster-view.ts';
import type { Clock, Random } from './apimachinery/clock.ts';
import { createSeededRandom, createSeededUids } from './faults/seeded-chance.ts';
import type { Switchboard } from './faults/switchboard.ts';
import { createVirtualClock } from './faults/virtual-clock.ts';
import type { VirtualClock } from './faults/virtual-clock.ts';
import { forkGround, makeBase, runInProcess } from './in-process.ts';
import type { InProcessPorts } from './in-process.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { Finished } from './request/handle.ts';
import type { World, WorldSetup, Worlds } from './scenario/world.ts';
import type { Ground } from './world.ts';
import { createSend, findResource, resourceOf } from './world-session.ts';

export interface WorldsParts {
  /** Makes what answers a world's calls to webhooks, and what ends with it. */
  readonly answerCalls: (switchboard: Switchboard, ports: CallPorts) => CallAnswerer;
  /** Told of what must never happen. */
  readonly onBug: (error: unknown) => void;
}

/** What the answers to calls may need of their world. */
export interface CallPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Time stands still while this work is under way. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Where Services and their endpoints are read. */
  readonly cluster: ClusterView;
}

export interface CallAnswerer {
  readonly call: CallWebhook;
  readonly close: () => Promise<void>;
}

/** Worlds in this process. What they have in common is made once for each kind of setup; each is a fork of that. */
export function createWorlds(parts: WorldsParts): Worlds {
  const bases = new Map<string, Promise<Ground>>();
  const open = new Set<World>();
  const baseFor = (setup: WorldSetup): Promise<Ground> => {
    const { clock, controllers, authorizationMode, enableAdmissionPlugins, disableAdmissionPlugins } = setup;
    const key = JSON.stringify([
      clock,
      controllers,
      authorizationMode,
      enableAdmissionPlugins,
      disableAdmissionPlugins,
    ]);
    const base = bases.get(key) ?? makeBase(setup, basePorts(setup, parts));
    bases.set(key, base);
    return base;
  };
  return {
    create: async (setup) => {
      const world = await createWorld(await baseFor(setup), setup, parts);
      open.add(world);
      return {
        ...world,
        close: async () => {
          open.delete(world);
          await world.close();
        },
      };
    },
    close: async () => {
      bases.clear();
      await Promise.all([...open].map((world) => world.close()));
    },
  };
}

async function createWorld(base: Ground, setup: WorldSetup, { answerCalls, onBug }: WorldsParts): Promise<World> {
  const ground = forkGround(base, setup);
  const time = setup.clock === 'virtual' ? virtual(virtualStart) : real;
  const { clock, drive, hold } = time;
  const newUid = createSeededUids(createSeededRandom(setup.seed + uidStream));
  const random = createSeededRandom(setup.seed);
  const answerer = answerCalls(setup.switchboard, { clock, random, hold, cluster: ground.store });
  const left = new WeakMap<ApiRequest, Finished>();
  const { handle, controllers } = await runInProcess(ground, setup, {
    ...time,
    random,
    newUid,
    callWebhook: answerer.call,
    finished: (finished) => left.set(finished.request, finished),
    onBug,
  });
  await drive(controllers.idle());
  const ending = new AbortController();
  const finishedOf = (request: ApiRequest): Finished | undefined => left.get(request);
  return {
    send: createSend({ handle, clock, newUid, drive, finishedOf, signal: ending.signal }),
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
    },
  };
}

/** When virtual worlds begin; their cluster was made an hour earlier. */
const virtualStart = Date.UTC(2026, 0, 1);
const clusterAge = 60 * 60 * 1000;
/** The objects of a fresh cluster have the same uids in every world. */
const baseSeed = 0x6b61646d;
/** Uids and chance are drawn apart: one draw more of chance leaves the uids as they are. */
const uidStream = 0x75696473;

/** Without a webhook: there is none when a cluster is made. */
function basePorts({ clock }: WorldSetup, { onBug }: WorldsParts): InProcessPorts {
  const random = createSeededRandom(baseSeed);
  return {
    ...(clock === 'virtual' ? virtual(virtualStart - clusterAge) : real),
    random,
    newUid: createSeededUids(random),
    callWebhook: async () => ({ outcome: 'failed', phase: 'client', error: 'there are no webhooks yet' }),
    finished: () => {},
    onBug,
  };
}

/** A clock with its way of waiting. */
interface Time extends Pick<VirtualClock, 'drive' | 'hold' | 'advance'> {
  readonly clock: Clock;
}

function virtual(start: number): Time {
  const clock = createVirtualClock(start);
  return { clock, drive: clock.drive, hold: clock.hold, advance: clock.advance };
}

const startedAt = performance.timeOrigin;

const realClock: Clock = {
  now: () => startedAt + performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleepFor(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};

const real: Time = {
  clock: realClock,
  drive: (work) => work,
  hold: (work) => work,
  advance: (milliseconds) => realClock.sleep(milliseconds),
};
