import { isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import {
  ageOf,
  booleanAt,
  type Cells,
  isBeingDeleted,
  nameOf,
  objectsAt,
  scalarAt,
  sizeAt,
  textAt,
  textsAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const persistentVolumeCells: Cells = (object, now) => [
  nameOf(object),
  scalarAt(object, ['spec', 'capacity', 'storage'], '0'),
  accessModes(textsAt(object, 'spec', 'accessModes')),
  textAt(object, 'spec', 'persistentVolumeReclaimPolicy'),
  phaseOf(object),
  claimOf(object),
  storageClassOf(object),
  scalarAt(object, ['spec', 'volumeAttributesClassName'], '<unset>'),
  textAt(object, 'status', 'reason'),
  ageOf(object, now),
  scalarAt(object, ['spec', 'volumeMode'], '<unset>'),
];

export const persistentVolumeClaimCells: Cells = (object, now) => {
  const volume = textAt(object, 'spec', 'volumeName');
  const isBound = volume !== '';
  return [
    nameOf(object),
    phaseOf(object),
    volume,
    isBound ? scalarAt(object, ['status', 'capacity', 'storage'], '0') : '',
    isBound ? accessModes(textsAt(object, 'status', 'accessModes')) : '',
    storageClassOf(object),
    scalarAt(object, ['spec', 'volumeAttributesClassName'], '<unset>'),
    ageOf(object, now),
    scalarAt(object, ['spec', 'volumeMode'], '<unset>'),
  ];
};

const phaseOf = (object: JsonObject): string =>
  isBeingDeleted(object) ? 'Terminating' : textAt(object, 'status', 'phase');

function claimOf(volume: JsonObject): string {
  const claim = valueAt(volume, 'spec', 'claimRef');
  return isJsonObject(claim) ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}` : '';
}

/** The beta annotation wins. Follows kubernetes pkg/apis/core/helper/helpers.go GetPersistentVolumeClass. */
const storageClassOf = (object: JsonObject): string =>
  scalarAt(
    object,
    ['metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class'],
    textAt(object, 'spec', 'storageClassName'),
  );

const shortModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Follows kubernetes pkg/apis/core/helper/helpers.go GetAccessModesAsString. */
const accessModes = (modes: readonly string[]): string =>
  shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Since 1.37 the newest default alone is marked, in lists. Follows printers.go getEffectiveDefaultStorageClass. */
export function markingOne(cells: Cells, classes: readonly JsonObject[]): Cells {
  const created = (one: JsonObject): string => textAt(one, 'metadata', 'creationTimestamp');
  const [effective] = classes
    .filter((one) => isDefault(one, defaultClass))
    .toSorted((a, b) => compareText(created(b), created(a)) || compareText(nameOf(a), nameOf(b)));
  const name = effective && nameOf(effective);
  return (object, now) => {
    const [, ...others] = cells(object, now);
    return [nameOf(object) === name ? `${name} (default)` : nameOf(object), ...others];
  };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const storageClassCells: Cells = (object, now) => [
  withDefault(object, defaultClass),
  textAt(object, 'provisioner'),
  scalarAt(object, ['reclaimPolicy'], 'Delete'),
  scalarAt(object, ['volumeBindingMode'], 'Immediate'),
  booleanAt(object, ['allowVolumeExpansion']),
  ageOf(object, now),
];

export const volumeAttributesClassCells: Cells = (object, now) => [
  withDefault(object, ['volumeattributesclass.alpha.kubernetes.io/is-default-class']),
  textAt(object, 'driverName'),
  ageOf(object, now),
];

/** `standard (default)`. Follows kubernetes pkg/apis/storage/util/helpers.go IsDefaultAnnotation. */
const withDefault = (object: JsonObject, annotations: readonly string[]): string =>
  isDefault(object, annotations) ? `${nameOf(object)} (default)` : nameOf(object);

const isDefault = (object: JsonObject, annotations: readonly string[]): boolean =>
  annotations.some((annotation) => textAt(object, 'metadata', 'annotations', annotation) === 'true');

export const volumeAttachmentCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'attacher'),
  textAt(object, 'spec', 'source', 'persistentVolumeName'),
  textAt(object, 'spec', 'nodeName'),
  booleanAt(object, ['status', 'attached']),
  ageOf(object, now),
];

export const csiNodeCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'spec', 'drivers'),
  ageOf(object, now),
];

export const csiDriverCells: Cells = (object, now) => [
  nameOf(object),
  booleanAt(object, ['spec', 'attachRequired'], true),
  booleanAt(object, ['spec', 'podInfoOnMount']),
  booleanAt(object, ['spec', 'storageCapacity']),
  audiences(object),
  booleanAt(object, ['spec', 'requiresRepublish']),
  textsAt(object, 'spec', 'volumeLifecycleModes').join(',') || '<none>',
  ageOf(object, now),
];

function audiences(driver: JsonObject): string {
  if (!Array.isArray(valueAt(driver, 'spec', 'tokenRequests'))) return '<unset>';
  return objectsAt(driver, 'spec', 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',');
}
