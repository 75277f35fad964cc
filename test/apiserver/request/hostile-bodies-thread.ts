import { Session } from 'node:inspector';
import { parentPort } from 'node:worker_threads';
import { defaultRelease } from '../../../src/api/release/load-release.ts';
import { adminUser, createTestWorld } from '../../harness/world.ts';
import { beforehand, hostileCases, type SentRequest } from './hostile-bodies.ts';

// Counts blocks of code that run instead of milliseconds: the same on every machine. V8 counts them in functions compiled
// after the profiler started, so this runs in a thread of its own.

interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly CoveredFunction[] }[];
}

interface CoveredFunction {
  readonly ranges: readonly { readonly count: number }[];
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How many blocks of src/ ran since the last call; a built-in function, such as sorting, counts as one. */
function countBlocks(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (_error: unknown, coverage: object) => {
    const { result } = coverage as Coverage;
    const functions = result.flatMap((script) => (script.url.includes('/src/') ? script.functions : []));
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  });
  return blocks;
}

/** Sends the requests of a case of this size to a new world; all worlds are made before the first request is counted. */
async function preparePlay(name: string, size: number): Promise<() => Promise<void>> {
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow', release: defaultRelease });
  const send = ({ method, path, type, body }: SentRequest) =>
    world.send(method, path, body, { as: adminUser, contentType: type });
  for (const request of beforehand) await send(request);
  const requests = hostileCases.get(name)?.(size) ?? [];
  return async () => {
    for (const request of requests) await send(request);
  };
}

parentPort?.on('message', ({ name, sizes }: { readonly name: string; readonly sizes: readonly number[] }) => {
  void (async () => {
    const plays: (() => Promise<void>)[] = [];
    for (const size of sizes) plays.push(await preparePlay(name, size));
    countBlocks();
    const counts: number[] = [];
    for (const play of plays) {
      await play();
      counts.push(countBlocks());
    }
    parentPort?.postMessage(counts);
  })();
});
