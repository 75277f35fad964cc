import { setTimeout as sleep } from 'node:timers/promises';
import type { StubCertificates } from '../../stubs/stub-certificates.ts';
import { startStubServer } from '../../stubs/stub-server.ts';
import type { World, WorldAnswer, WorldRequest, WorldSetup } from '../world.ts';
import { cleanUp } from './clean-up.ts';
import { createdPath } from './created-path.ts';
import { resourceFor, resourceNamed } from './discovery.ts';
import { createGate } from './gate.ts';
import { grantAll } from './grants.ts';
import { touchOnlyOwn } from './guard.ts';
import type { HttpsClient } from './https-client.ts';
import { createSettling } from './settling.ts';
import { createStubConfigurations } from './stub-configurations.ts';
import { createTargetSend } from './target-send.ts';
import type { Resources } from './resources.ts';
import type { TargetOptions } from './target-options.ts';

interface TargetParts extends Pick<TargetOptions, 'stubHost' | 'stubName'> {
  /** Of the stubs of every world. */
  readonly certificates: StubCertificates;
  readonly client: HttpsClient;
  readonly resources: Resources;
  readonly tells: boolean;
}

/** A scenario's view of a server that others may use too: what it makes is remembered, and removed when it is closed. */
export async function createTargetWorld(setup: WorldSetup, parts: TargetParts): Promise<World> {
  const { switchboard } = setup;
  const { client, resources, tells } = parts;
  const stubs = startStubServer({
    switchboard,
    certificates: parts.certificates,
    clock: realClock,
    ...(parts.stubHost === undefined ? {} : { host: parts.stubHost }),
    ...(parts.stubName === undefined ? {} : { name: parts.stubName }),
  });
  const ask = createTargetSend(client, tells);
  const settling = createSettling(ask, tells);
  const configurations = createStubConfigurations(switchboard, stubs);
  const since = realClock.now();
  const made = new Set(await grantAll(setup, ask));
  const settle = async (): Promise<void> => {
    if (await configurations.refresh(ask)) settling.noteWrite('/mutatingwebhookconfigurations/*', false);
    await settling.settle();
  };
  const send = async (request: WorldRequest): Promise<WorldAnswer> => {
    await touchOnlyOwn(request, ask, { made, since });
    const answer = await ask(await configurations.rewritten(request));
    if (answer.code >= 400 || request.method === 'GET') return answer;
    const created = createdPath(request, answer);
    if (created !== undefined) made.add(created);
    const path = created ?? request.path;
    settling.noteWrite(path, created !== undefined);
    if (request.method === 'DELETE') configurations.forget(path);
    else if (!isDryRun(request)) configurations.written(path, request, answer);
    return answer;
  };
  const finish = async (): Promise<void> => {
    try {
      await cleanUp([...made], ask, settle);
    } finally {
      await stubs.close();
    }
  };
  const gate = createGate(send);
  return {
    send: gate.send,
    resourceOf: (kind) => resources.find((all) => resourceFor(all, kind)),
    findResource: (name) => resources.find((all) => resourceNamed(all, name)),
    settle,
    now: realClock.now,
    advance: realClock.sleep,
    tells,
    // Without its stub no call to a webhook hangs.
    close: () => gate.close(finish, stubs.close),
  };
}

const isDryRun = ({ query = {} }: WorldRequest): boolean => query['dryRun'] !== undefined;

const realClock = {
  now: () => Date.now(),
  sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
  },
};
