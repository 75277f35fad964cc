import { difference, pathSet, union, type FieldSet } from './field-set.ts';

/** Fields without owner. Follows apimachinery pkg/util/managedfields/internal/stripmeta.go. */
const stripped: FieldSet = [
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['f:metadata', `f:${field}`]),
]
  .map(pathSet)
  .reduce(union);

export const withoutMeta = (fields: FieldSet): FieldSet => difference(fields, stripped);
