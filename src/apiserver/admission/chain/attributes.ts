import type { Codec } from '../../../api/codec/codec.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { UserInfo } from '../../auth/user.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Follows apiserver pkg/admission/attributes.go. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** `Scale` for deployments/scale. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** '' while unknown: generateName before storage, deletecollection. */
  readonly name: string;
  /** '' for cluster-scoped objects; a Namespace has its own name here (rule SEL-25). */
  readonly namespace: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  /** With kind and apiVersion `meta.k8s.io/v1`; null for CONNECT. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
  readonly isApply?: boolean;
  /** Absent for built-in kinds. */
  readonly codec?: Codec;
}

/** False for the Scale of a custom resource. */
export const isCustom = ({ codec, subresource }: Pick<AdmissionAttributes, 'codec' | 'subresource'>): boolean =>
  codec !== undefined && subresource !== 'scale';

export type AdmissionPhase = 'mutating' | 'validating';

export interface TrialOrder {
  /**
   * For trials: the mutating webhooks (`CONFIGURATION/WEBHOOK`) and policies to call, in this order, repeats included.
   * Policies still precede webhooks, and all are called if none is named. undefined: upstream's order.
   */
  readonly mutatingOrder?: (() => readonly string[] | undefined) | undefined;
}

/** A name without a slash is a mutating policy. */
export const isPolicyEntry = (entry: string): boolean => !entry.includes('/');
