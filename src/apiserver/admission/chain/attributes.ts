import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { Codec } from '../../../api/codec/codec.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission knows about one request. Follows apiserver pkg/admission/attributes.go. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** The kind of the body: `Scale` for deployments/scale. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' while unknown (generateName before storage, deletecollection). */
  readonly name: string;
  /** '' for cluster-scoped objects, except a Namespace: its own name (rule SEL-25). */
  readonly namespace: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  /** CreateOptions, UpdateOptions or DeleteOptions with kind and apiVersion `meta.k8s.io/v1`; null for CONNECT. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
  /** The request is a server-side apply. */
  readonly isApply?: boolean;
  /** Reads and converts the objects of a custom resource; absent for built-in ones. */
  readonly codec?: Codec;
}

/** Is the object defined by a CustomResourceDefinition? Its Scale is not. */
export const isCustom = ({ codec, subresource }: Pick<AdmissionAttributes, 'codec' | 'subresource'>): boolean =>
  codec !== undefined && subresource !== 'scale';
