import type { Random } from '../apimachinery/clock.ts';
import type { GroupVersionKind } from '../apimachinery/gvk.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { Node } from './template/tree.ts';

/** How objects of a kind move on. Follows KWOK pkg/apis/v1alpha1/stage_types.go. */
export interface Stage {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly matches: (object: KubernetesObject) => boolean;
  /** Among those that match; undefined where its expression has nothing to say. */
  readonly weightOf: (object: KubernetesObject) => number | undefined;
  /** In milliseconds, from the moment at which it matched. */
  readonly delayOf: (object: KubernetesObject, at: Moment) => number;
  readonly steps: readonly Step[];
}

export interface Moment {
  readonly now: number;
  readonly random: Random;
}

/** What is done, one after the other. */
export type Step =
  | { readonly type: 'event'; readonly eventType: string; readonly reason: string; readonly message: string }
  | {
      readonly type: 'finalizers';
      readonly add: readonly string[];
      readonly remove: readonly string[];
      readonly empty: boolean;
    }
  | { readonly type: 'delete' }
  | PatchStep
  | ApplyStep;

interface Templated {
  readonly template: readonly Node[];
  readonly subresource: string;
  /** As whom; '': as KWOK itself. */
  readonly username: string;
}

export interface PatchStep extends Templated {
  readonly type: 'patch';
  /** The field that the template gives the value of; '' for the whole object. */
  readonly root: string;
  readonly patchType: '' | 'json' | 'merge' | 'strategic';
}

export interface ApplyStep extends Templated {
  readonly type: 'apply';
  readonly patchType: 'apply' | 'merge' | 'strategic';
}
