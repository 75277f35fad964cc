import { errorIf } from '../../api/validation/field-rules.ts';
import { subdomainName, validateObjectMeta } from '../../api/validation/meta/object-meta.ts';
import { type FieldError, invalidValue } from '../../machinery/meta/field-error.ts';
import { asObject, asString, type JsonObject, type JsonValue, valueAt, withValue } from '../../machinery/json/json.ts';
import { readLabelSelector, selectorText } from '../../machinery/selectors/label-selector.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';

/** `autoscaling/v1 Scale`. Follows kubernetes pkg/registry/apps/deployment/storage scaleFromDeployment. */
export const scaleOf = (parent: KubernetesObject): KubernetesObject =>
  scaleWith(parent, {
    replicas: valueAt(parent, 'spec', 'replicas'),
    current: valueAt(parent, 'status', 'replicas') ?? 0,
    selector: selectorOf(parent),
  });

interface Numbers {
  readonly replicas: JsonValue | undefined;
  readonly current: JsonValue;
  readonly selector: string;
}

export function scaleWith(parent: KubernetesObject, { replicas, current, selector }: Numbers): KubernetesObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(parent);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: current,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** Of a ReplicationController a plain map, otherwise a LabelSelector. */
function selectorOf(parent: KubernetesObject): string {
  const selector = valueAt(parent, 'spec', 'selector');
  if (parent.kind === 'ReplicationController') return plainSelectorText(asObject(selector));
  const read = readLabelSelector(selector);
  return read.outcome === 'selector' ? selectorText(read.selector) : '';
}

const plainSelectorText = (labels: JsonObject): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${asString(value)}`)
    .toSorted()
    .join(',');

export const withReplicas = (parent: KubernetesObject, scale: KubernetesObject): KubernetesObject =>
  withValue(parent, ['spec', 'replicas'], scaleReplicas(scale));

export const scaleReplicas = (scale: KubernetesObject): JsonValue => valueAt(scale, 'spec', 'replicas') ?? 0;

/** Follows kubernetes pkg/apis/autoscaling/validation ValidateScale; before 1.37 it validates the metadata. */
export function scaleErrors(scale: KubernetesObject, minor: number): readonly FieldError[] {
  const replicas = scaleReplicas(scale);
  return [
    ...(minor < 37 ? validateObjectMeta(metadataOf(scale), true, subdomainName) : []),
    ...errorIf(typeof replicas === 'number' && replicas < 0, () =>
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ),
  ];
}
