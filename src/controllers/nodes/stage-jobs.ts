import type { Clock, Random } from '../../apimachinery/clock.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { Stage } from '../../stages/stage.ts';
import { chooseStage } from '../../stages/weight.ts';
import { keyOfName, nameIn } from '../workloads/follow-pods.ts';

/** What is to be done with an object as long as it is in this version. */
export interface Job {
  readonly version: string;
  readonly stage: Stage;
  /** When, in milliseconds since 1970. */
  readonly due: number;
  /** The object has been through this Stage before. */
  readonly isAgain: boolean;
  /** The step that comes next; Infinity when all is done. */
  at: number;
}

export interface StageJobs {
  /** The job for the object as it is now: chosen once for each version. undefined when no Stage matches. */
  readonly jobFor: (object: KubernetesObject) => Job | undefined;
  readonly forget: (object: KubernetesObject) => void;
}

interface Life {
  version: string;
  job: Job | undefined;
  /** What it has been through. */
  readonly past: Set<Stage>;
}

export function createStageJobs(
  stages: readonly Stage[],
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): StageJobs {
  const lives = new Map<string, Life>();
  const keyOf = (object: KubernetesObject): string => `${keyOfName(nameIn(object))} ${metadataOf(object).uid ?? ''}`;
  return {
    jobFor: (object) => {
      const key = keyOf(object);
      const { resourceVersion: version = '' } = metadataOf(object);
      const life: Life = lives.get(key) ?? { version: '', job: undefined, past: new Set() };
      lives.set(key, life);
      if (life.version === version) return life.job;
      if (life.job?.at === Infinity) life.past.add(life.job.stage);
      const stage = chooseStage(stages, object, random);
      const now = clock.now();
      life.version = version;
      life.job = stage && {
        version,
        stage,
        due: now + stage.delayOf(object, { now, random }),
        isAgain: life.past.has(stage),
        at: 0,
      };
      return life.job;
    },
    forget: (object) => void lives.delete(keyOf(object)),
  };
}
