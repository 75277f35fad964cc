import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SkipReason } from './skip-reason.ts';

/**
 * Which webhooks or policies of one plugin round 1 calls again. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/reinvocationcontext.go (rules REI-3 to REI-7).
 */
export interface Reinvocation {
  readonly startRound: (round: 0 | 1, object: KubernetesObject | null) => void;
  /** null: it is called. Round 0 calls all. */
  readonly reasonNotToReinvoke: (callee: Callee) => NotReinvoked | null;
  readonly afterCall: (callee: Callee, changed: boolean) => void;
  /** Policies: reinvokes all earlier ones, the last included. */
  readonly reinvokeAll: () => void;
  readonly finishRound: (object: KubernetesObject | null) => void;
}

export interface Callee {
  readonly uid: string;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

type NotReinvoked = Extract<SkipReason, { readonly because: 'not-reinvoked' }>['detail'];

export function createReinvocation(): Reinvocation {
  const reinvoke = new Set<string>();
  const previous = new Set<string>();
  const called = new Set<string>();
  let lastOutput: KubernetesObject | null = null;
  let currentRound: 0 | 1 = 0;
  const reinvokePrevious = (): void => {
    for (const uid of previous) reinvoke.add(uid);
    previous.clear();
  };
  return {
    startRound: (round, object) => {
      currentRound = round;
      if (round === 1 && !semanticEqual(object, lastOutput)) reinvokePrevious();
    },
    reasonNotToReinvoke: ({ uid, reinvocationPolicy }) => {
      if (currentRound === 0 || reinvoke.has(uid)) return null;
      if (!called.has(uid)) return 'not-called-in-round-0';
      return reinvocationPolicy === 'Never' ? 'reinvocationPolicy-Never' : 'nothing-changed-since';
    },
    afterCall: ({ uid, reinvocationPolicy }, changed) => {
      called.add(uid);
      if (changed) reinvokePrevious();
      if (reinvocationPolicy === 'IfNeeded') previous.add(uid);
    },
    reinvokeAll: reinvokePrevious,
    finishRound: (object) => {
      lastOutput = object;
    },
  };
}
