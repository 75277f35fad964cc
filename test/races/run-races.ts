import { isJsonObject, valueAt } from '../../src/machinery/json/json.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { mutatingConfiguration, validatingConfiguration } from '../harness/configurations.ts';
import type { Respond } from '../harness/admission.ts';
import { adminUser, createTestWorld, type TestWorld } from '../harness/world.ts';
import { type Act, generateAct, requestOf, resources } from './acts.ts';
import { findFault, isStuck, type ActResult, type Review } from './check-act.ts';
import { createRaceStore, type PlantedFault } from './race-store.ts';

export interface RaceOptions {
  readonly seed: number;
  /** Requests, those of webhooks included. */
  readonly acts: number;
  readonly planted?: PlantedFault;
  /** Called after each world with the acts so far. */
  readonly progress?: (acts: number) => void;
}

export interface RaceFinding {
  /** Number of acts so far. */
  readonly acts: number;
  readonly fault: string;
  readonly story: readonly string[];
}

export interface RaceOutcome {
  readonly acts: number;
  readonly acknowledged: number;
  /** Requests whose admission ran more than once. */
  readonly repeated: number;
  readonly finding?: RaceFinding;
}

/** Acts of one world; then a fresh one starts, so that histories stay short. */
const actsOfWorld = 200;

/** Plays random acts until the first finding; the same ones for the same seed. */
export async function runRaces({ seed, acts, planted, progress }: RaceOptions): Promise<RaceOutcome> {
  const total = { acts: 0, acknowledged: 0, repeated: 0 };
  for (let world = 0; total.acts < acts; world += 1) {
    const { finding, ...played } = await runWorld(
      seed * 1_000_003 + world,
      Math.min(actsOfWorld, acts - total.acts),
      planted,
    );
    total.acknowledged += played.acknowledged;
    total.repeated += played.repeated;
    total.acts += played.acts;
    progress?.(total.acts);
    if (finding) return { ...total, finding: { ...finding, acts: total.acts } };
  }
  return total;
}

async function runWorld(seed: number, most: number, planted: PlantedFault | undefined): Promise<RaceOutcome> {
  const random = createSeededRandom(seed);
  const store = createRaceStore(random, planted);
  const running = new Map<number, { readonly act: Act; readonly reviews: Review[] }>();
  const played: ActResult[] = [];
  let sent = 0;
  const review =
    (phase: Review['phase']): Respond =>
    async ({ oldObject, userInfo }) => {
      const request = running.get(store.author());
      if (!request || valueAt({ userInfo }, 'userInfo', 'username') === racer.username) return {};
      const act = request.act.during[request.reviews.length];
      const at = request.reviews.length;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a review has an object or null there
      const seen = (oldObject ?? null) as Review['oldObject'];
      request.reviews.push({ phase, oldObject: seen, endedAt: store.sequence() });
      await store.yields();
      if (act) await send(act, racer);
      request.reviews[at] = { phase, oldObject: seen, endedAt: store.sequence() };
      return { allowed: !(request.act.denied && phase === 'validating') };
    };
  const world: TestWorld = await createTestWorld({
    random,
    responses: { 'm.example.com': review('mutating'), 'v.example.com': review('validating') },
    wrapStore: store.wrap,
  });
  await configure(world);
  const send = async (act: Act, user = adminUser): Promise<void> => {
    sent += 1;
    const id = sent;
    const path = pathOfAct(act);
    const reviews: Review[] = [];
    running.set(id, { act, reviews });
    const version = String(store.entries(path).findLast(({ object }) => object !== undefined)?.revision ?? 1);
    const [method, target, body, more] = requestOf(act, version);
    const answer = await store.as({ id, isDelete: method === 'DELETE' }, () =>
      world.send(method, target, body, { ...more, as: user }),
    );
    running.delete(id);
    played.push({ act, id, version, code: answer.code, body: isJsonObject(answer.body) ? answer.body : {}, reviews });
  };
  let checked = 0;
  while (sent < most) {
    const together = Array.from({ length: 1 + Math.floor(random() * 3) }, () => generateAct(random));
    await Promise.all(together.map((act) => store.yields().then(() => send(act))));
    for (const one of played.slice(checked)) {
      const entries = store.entries(pathOfAct(one.act));
      const stuck = entries.find((entry) => isStuck(entry));
      const fault =
        findFault(one, entries) ?? (stuck ? 'an object without finalizers stays marked as being deleted' : undefined);
      if (fault !== undefined)
        return { ...summary(played, sent), finding: { acts: sent, fault, story: describeFault(one, played, entries) } };
    }
    checked = played.length;
  }
  const [bug] = world.bugs;
  if (bug !== undefined) throw new Error('a request failed with a bug', { cause: bug });
  return summary(played, sent);
}

const racer = { ...adminUser, username: 'racer' };

const pathOfAct = ({ kind, name }: Act): string => `${kind.resource}/default/${name}`;

const summary = (played: readonly ActResult[], acts: number): RaceOutcome => ({
  acts,
  acknowledged: played.filter(({ code }) => code < 300).length,
  repeated: played.filter(({ reviews }) => reviews.filter(({ phase }) => phase === 'mutating').length > 1).length,
});

async function configure(world: TestWorld): Promise<void> {
  const rules = [
    {
      operations: ['*'],
      apiGroups: ['*'],
      apiVersions: ['*'],
      resources: resources.flatMap((name) => [name, `${name}/*`]),
    },
  ];
  const configurations = [
    ['mutatingwebhookconfigurations', mutatingConfiguration([{ name: 'm.example.com', rules }])],
    ['validatingwebhookconfigurations', validatingConfiguration([{ name: 'v.example.com', rules }])],
  ] as const;
  for (const [resource, configuration] of configurations) {
    const created = await world.send('POST', `/apis/admissionregistration.k8s.io/v1/${resource}`, configuration);
    if (created.code !== 201) throw new Error(created.message);
  }
}

/** The act, and all acts on its object in the order of their responses. */
function describeFault(
  found: ActResult,
  played: readonly ActResult[],
  entries: ReturnType<ReturnType<typeof createRaceStore>['entries']>,
): readonly string[] {
  const line = ({ id, act, version, code, reviews }: ActResult): string => {
    const writes = entries
      .filter(({ author }) => author === id)
      .map(({ revision, object }) => `${object ? 'wrote' : 'removed'} ${revision}`);
    const more = [
      act.dryRun ? 'dry run' : '',
      act.denied ? 'denied' : '',
      act.verb.endsWith('version') ? `version ${version}` : '',
      ...writes,
    ];
    return `${id}: ${act.verb} ${pathOfAct(act)} ${act.key}=${act.value} ► ${code}, ${reviews.length} reviews ${more.filter(Boolean).join(', ')}`;
  };
  const others = played.filter(({ act }) => pathOfAct(act) === pathOfAct(found.act)).slice(-12);
  return [`wrong: ${line(found)}`, ...others.map(line)];
}
