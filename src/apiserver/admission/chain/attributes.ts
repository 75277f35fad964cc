import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { Codec } from '../../../api/codec/codec.ts';

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
