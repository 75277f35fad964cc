import { goPrint, goTypeOf } from '../../machinery/go/go-print.ts';
import {
  isJsonObject,
  type JsonValue,
  valueAt,
  withValue,
  asObject,
  asString,
  type JsonObject,
} from '../../machinery/json/json.ts';
import { type FieldError, invalidValue } from '../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { internalError, plainError } from '../../machinery/meta/status.ts';
import { isCustomRow } from '../custom-resources/custom-codec.ts';
import { type ScalePaths, scalePathsOf } from '../custom-resources/definition.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { errorIf } from '../../api/validation/field-rules.ts';
import { subdomainName, validateObjectMeta } from '../../api/validation/meta/object-meta.ts';
import { readLabelSelector, selectorText } from '../../machinery/selectors/label-selector.ts';

export interface ScaleShape {
  readonly path: readonly string[];
  /** Fails without replicas in a GET. */
  readonly read: (parent: KubernetesObject) => Result<KubernetesObject>;
  readonly toScale: (parent: KubernetesObject) => Result<KubernetesObject>;
  readonly withReplicas: (parent: KubernetesObject, scale: KubernetesObject) => KubernetesObject;
  /** The parent's fields of an applied Scale. */
  readonly toAppliedParent: (named: KubernetesObject, scale: KubernetesObject) => KubernetesObject;
  /** Errors found before the parent is read. */
  readonly errors: (scale: KubernetesObject, minor: number) => readonly FieldError[];
}

const workloads: ScaleShape = {
  path: ['spec', 'replicas'],
  read: (parent) => ok(scaleOf(parent)),
  toScale: (parent) => ok(scaleOf(parent)),
  withReplicas: setReplicas,
  toAppliedParent: (named, scale) =>
    valueAt(scale, 'spec', 'replicas') === undefined ? named : { ...named, spec: scale['spec'] },
  errors: scaleErrors,
};

export function scaleShapeOf(row: ResourceInfo): ScaleShape {
  const paths = isCustomRow(row) ? scalePathsOf(row.custom.version) : undefined;
  return paths ? createCustomShape(paths) : workloads;
}

/** Follows apiextensions-apiserver pkg/registry/customresource/etcd.go ScaleREST. */
function createCustomShape(paths: ScalePaths): ScaleShape {
  const toScale = (parent: KubernetesObject): Result<KubernetesObject> => {
    const replicas = readNumber(parent, paths.spec);
    const current = readNumber(parent, paths.status);
    const selector = readText(parent, paths.selector);
    if (!replicas.ok) return replicas;
    if (!current.ok) return current;
    if (!selector.ok) return selector;
    return ok(scaleWith(parent, { replicas: replicas.value, current: current.value, selector: selector.value }));
  };
  const withReplicas = (parent: KubernetesObject, scale: KubernetesObject): KubernetesObject =>
    withValue(parent, paths.spec, scaleReplicas(scale));
  return {
    path: paths.spec,
    toScale,
    read: (parent) => {
      const scale = toScale(parent);
      if (!scale.ok || valueAt(parent, ...paths.spec) !== undefined) return scale;
      return refuse(internalError(`the spec replicas field "${paths.specText}" does not exist`));
    },
    withReplicas,
    toAppliedParent: withReplicas,
    errors: () => [],
  };
}

function readNumber(parent: KubernetesObject, path: readonly string[]): Result<number> {
  const blocked = findBlockingValue(parent, path);
  if (blocked) return refuse(blocked);
  const value = valueAt(parent, ...path) ?? 0;
  if (typeof value === 'number' && Number.isInteger(value)) return ok(value);
  return refuse(wrongType(path, value, 'int64'));
}

function readText(parent: KubernetesObject, path: readonly string[]): Result<string> {
  const blocked = findBlockingValue(parent, path);
  if (blocked) return refuse(blocked);
  const value = path.length === 0 ? '' : (valueAt(parent, ...path) ?? '');
  return typeof value === 'string' ? ok(value) : refuse(wrongType(path, value, 'string'));
}

/** A value on the path is no object. */
function findBlockingValue(
  parent: KubernetesObject,
  path: readonly string[],
): ReturnType<typeof plainError> | undefined {
  for (const [index] of path.entries()) {
    const value = valueAt(parent, ...path.slice(0, index)) ?? null;
    if (value === null) return undefined;
    if (!isJsonObject(value)) return wrongType(path.slice(0, index + 1), value, 'map[string]interface{}');
  }
  return undefined;
}

const wrongType = (path: readonly string[], value: JsonValue, wanted: string): ReturnType<typeof plainError> =>
  plainError(
    `.${path.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value) ?? '<nil>'}, expected ${wanted}`,
  );

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

export function setReplicas(parent: KubernetesObject, scale: KubernetesObject): KubernetesObject {
  return withValue(parent, ['spec', 'replicas'], scaleReplicas(scale));
}

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
