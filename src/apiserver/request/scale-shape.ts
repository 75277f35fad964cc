import { goPrint, goTypeOf } from '../../machinery/go/go-print.ts';
import { isJsonObject, type JsonValue, valueAt, withValue } from '../../machinery/json/json.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { internalError, plainError } from '../../machinery/meta/status.ts';
import { isCustomRow } from '../custom-resources/custom-codec.ts';
import { type ScalePaths, scalePathsOf } from '../custom-resources/definition.ts';
import type { ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import { scaleReplicas, scaleErrors, scaleOf, scaleWith, withReplicas as withWorkloadReplicas } from './scale.ts';

export interface ScaleShape {
  readonly path: readonly string[];
  /** Fails without replicas in a GET. */
  readonly read: (parent: KubernetesObject) => Result<KubernetesObject>;
  readonly of: (parent: KubernetesObject) => Result<KubernetesObject>;
  readonly withReplicas: (parent: KubernetesObject, scale: KubernetesObject) => KubernetesObject;
  /** The parent's fields of an applied Scale. */
  readonly applied: (named: KubernetesObject, scale: KubernetesObject) => KubernetesObject;
  /** Errors found before the parent is read. */
  readonly errors: (scale: KubernetesObject, minor: number) => readonly FieldError[];
}

const workloads: ScaleShape = {
  path: ['spec', 'replicas'],
  read: (parent) => ok(scaleOf(parent)),
  of: (parent) => ok(scaleOf(parent)),
  withReplicas: withWorkloadReplicas,
  applied: (named, scale) =>
    valueAt(scale, 'spec', 'replicas') === undefined ? named : { ...named, spec: scale['spec'] },
  errors: scaleErrors,
};

export function scaleShapeOf(row: ResourceInfo): ScaleShape {
  const paths = isCustomRow(row) ? scalePathsOf(row.custom.version) : undefined;
  return paths ? customShape(paths) : workloads;
}

/** Follows apiextensions-apiserver pkg/registry/customresource/etcd.go ScaleREST. */
function customShape(paths: ScalePaths): ScaleShape {
  const of = (parent: KubernetesObject): Result<KubernetesObject> => {
    const replicas = numberAt(parent, paths.spec);
    const current = numberAt(parent, paths.status);
    const selector = textAt(parent, paths.selector);
    if (!replicas.ok) return replicas;
    if (!current.ok) return current;
    if (!selector.ok) return selector;
    return ok(scaleWith(parent, { replicas: replicas.value, current: current.value, selector: selector.value }));
  };
  const withReplicas = (parent: KubernetesObject, scale: KubernetesObject): KubernetesObject =>
    withValue(parent, paths.spec, scaleReplicas(scale));
  return {
    path: paths.spec,
    of,
    read: (parent) => {
      const scale = of(parent);
      if (!scale.ok || valueAt(parent, ...paths.spec) !== undefined) return scale;
      return refuse(internalError(`the spec replicas field "${paths.specText}" does not exist`));
    },
    withReplicas,
    applied: withReplicas,
    errors: () => [],
  };
}

function numberAt(parent: KubernetesObject, path: readonly string[]): Result<number> {
  const blocked = blockedAt(parent, path);
  if (blocked) return refuse(blocked);
  const value = valueAt(parent, ...path) ?? 0;
  if (typeof value === 'number' && Number.isInteger(value)) return ok(value);
  return refuse(wrongType(path, value, 'int64'));
}

function textAt(parent: KubernetesObject, path: readonly string[]): Result<string> {
  const blocked = blockedAt(parent, path);
  if (blocked) return refuse(blocked);
  const value = path.length === 0 ? '' : (valueAt(parent, ...path) ?? '');
  return typeof value === 'string' ? ok(value) : refuse(wrongType(path, value, 'string'));
}

/** A value on the path is no object. */
function blockedAt(parent: KubernetesObject, path: readonly string[]): ReturnType<typeof plainError> | undefined {
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
