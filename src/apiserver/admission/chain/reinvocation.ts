import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { SkipReason } from './skip-reason.ts';

/** What one request's two rounds must remember about the callees of one plugin: its webhooks or its policies. */
export interface Reinvocation {
  readonly startRound: (round: 0 | 1, object: KubernetesObject | null) => void;
  /** Why this one has no turn in round 1; null if it has one. In round 0 everybody has. */
  readonly notDue: (callee: Callee) => NotReinvoked | null;
  readonly afterCall: (callee: Callee, changed: boolean) => void;
  /** Whoever had its turn so far and asked for it has another, the last one included: policies count all that they did. */
  readonly reinvokeAll: () => void;
  readonly finishRound: (object: KubernetesObject | null) => void;
}

export interface Callee {
  readonly uid: string;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

type NotReinvoked = Extract<SkipReason, { readonly because: 'not-reinvoked' }>['detail'];

/**
 * Who is called again in round 1: whoever asked for it (IfNeeded) and saw the object before somebody changed it. A
 * callee's own change never brings it back. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/reinvocationcontext.go (rules REI-3 to REI-7).
 */
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
    notDue: ({ uid, reinvocationPolicy }) => {
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
