import type { Random } from '../../apimachinery/clock.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import { asString } from '../../apimachinery/json.ts';
import { ok } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import type { Stage } from '../../stages/stage.ts';
import type { Change } from '../../store/cluster-cache.ts';
import { follow } from '../controller.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import type { ParseDocument } from '../manifest.ts';
import type { ServedResource } from '../served-resources.ts';
import { createWorkQueue, progressOf } from '../work-queue.ts';
import type { Progress } from '../work-queue.ts';
import { keyOfName, nameIn } from '../workloads/follow-pods.ts';
import type { ObjectName } from '../workloads/follow-pods.ts';
import { createStageJobs } from './stage-jobs.ts';
import type { Job } from './stage-jobs.ts';
import { createStagePlayer } from './stage-player.ts';
import type { StagePlayer } from './stage-player.ts';
import type { Pod } from '../../schema/generated/core-v1.ts';

export interface StageParts {
  readonly random: Random;
  readonly parse: ParseDocument;
}

/** Moves objects on as these Stages say, in the place of KWOK. Follows KWOK pkg/kwok/controllers/stage_controller.go. */
export const playStages =
  (stages: readonly Stage[], { random, parse }: StageParts): Controller =>
  (context) => {
    const player = createStagePlayer(context, parse);
    const kinds = new Map(stages.map(({ kind }) => [JSON.stringify(kind), kind]));
    const families = [...kinds].map(([key, kind]) => ({
      kind,
      stages: stages.filter((stage) => JSON.stringify(stage.kind) === key),
    }));
    return progressOf([player.progress, ...families.map((family) => playFamily(context, family, { player, random }))]);
  };

interface Family {
  readonly kind: GroupVersionKind;
  readonly stages: readonly Stage[];
}

function playFamily(
  context: ControllerContext,
  { kind, stages }: Family,
  { player, random }: { readonly player: StagePlayer; readonly random: Random },
): Progress {
  const { store, clock } = context;
  const jobs = createStageJobs(stages, { clock, random });
  const sync = async (name: ObjectName): Promise<Result<unknown>> => {
    const resource = resourceNow();
    const object = resource && store.get(resource.storage, name.namespace, name.name);
    const job = object && isMovable(object, kind) ? jobs.jobFor(object) : undefined;
    if (!resource || !object || !job || job.at === Infinity) return ok(undefined);
    const wait = job.due - clock.now();
    if (wait > 0) {
      (isCounted(job, wait, kind) ? queue.addSoon : queue.addLater)(name, wait);
      return ok(undefined);
    }
    const passage = { stage: job.stage, object, resource, at: job.at };
    const done = await player.play(passage);
    job.at = done.ok ? Infinity : passage.at;
    return done;
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  const resourceNow = followKind(context, kind, ({ type, object }) => {
    if (type === 'removed') jobs.forget(object);
    else queue.add(nameIn(object));
  });
  return queue.progress;
}

/** What takes longer than a minute, what comes again and again, and what Nodes do keeps nobody waiting. */
const isCounted = ({ isAgain }: Job, wait: number, { kind }: GroupVersionKind): boolean =>
  !isAgain && wait <= 60_000 && kind !== 'Node';

/** Follows the objects of a kind, whenever it is served; what is returned tells as what it is served now. */
function followKind(
  context: ControllerContext,
  kind: GroupVersionKind,
  listener: (change: Change) => void,
): () => ServedResource | undefined {
  const { served } = context;
  let resource: ServedResource | undefined;
  let close = (): void => {};
  const attach = (): void => {
    const now = served.forKind(kind);
    const isSame = now?.storage.resource === resource?.storage.resource && now?.version === resource?.version;
    resource = now;
    if (isSame) return;
    close();
    close = now ? follow(context, now.storage, listener) : (): void => {};
  };
  attach();
  context.whenClosed(served.follow(attach));
  return () => resource;
}

/** Pods are moved once they are bound. */
const isMovable = (object: Pod, { group, kind }: GroupVersionKind): boolean =>
  group !== '' || kind !== 'Pod' || asString(object.spec?.nodeName) !== '';
