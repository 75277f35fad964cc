import { isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import {
  ageOf,
  booleanCell,
  type Cells,
  cells,
  isBeingDeleted,
  nameOf,
  objectsAt,
  type Printers,
  scalarCell,
  scalarAt,
  sizeCell,
  textCell,
  textAt,
  textsCell,
  textsAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

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

/** `standard (default)`. Follows kubernetes pkg/apis/storage/util/helpers.go IsDefaultAnnotation. */
const withDefault =
  (annotations: readonly string[]) =>
  (object: JsonObject): string =>
    isDefault(object, annotations) ? `${nameOf(object)} (default)` : nameOf(object);

const isDefault = (object: JsonObject, annotations: readonly string[]): boolean =>
  annotations.some((annotation) => textAt(object, 'metadata', 'annotations', annotation) === 'true');

function audiences(driver: JsonObject): string {
  if (!Array.isArray(valueAt(driver, 'spec', 'tokenRequests'))) return '<unset>';
  return objectsAt(driver, 'spec', 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',');
}

const isBound = (claim: JsonObject): boolean => textAt(claim, 'spec', 'volumeName') !== '';

export const storagePrinters: Printers = {
  '/PersistentVolume': cells(
    nameOf,
    scalarCell('spec.capacity.storage', '0'),
    (volume) => accessModes(textsAt(volume, 'spec', 'accessModes')),
    textCell('spec.persistentVolumeReclaimPolicy'),
    phaseOf,
    claimOf,
    storageClassOf,
    scalarCell('spec.volumeAttributesClassName', '<unset>'),
    textCell('status.reason'),
    ageOf,
    scalarCell('spec.volumeMode', '<unset>'),
  ),
  '/PersistentVolumeClaim': cells(
    nameOf,
    phaseOf,
    textCell('spec.volumeName'),
    (claim) => (isBound(claim) ? scalarAt(claim, ['status', 'capacity', 'storage'], '0') : ''),
    (claim) => (isBound(claim) ? accessModes(textsAt(claim, 'status', 'accessModes')) : ''),
    storageClassOf,
    scalarCell('spec.volumeAttributesClassName', '<unset>'),
    ageOf,
    scalarCell('spec.volumeMode', '<unset>'),
  ),
  'storage.k8s.io/CSIDriver': cells(
    nameOf,
    booleanCell('spec.attachRequired', true),
    booleanCell('spec.podInfoOnMount'),
    booleanCell('spec.storageCapacity'),
    audiences,
    booleanCell('spec.requiresRepublish'),
    textsCell('spec.volumeLifecycleModes', '<none>'),
    ageOf,
  ),
  'storage.k8s.io/CSINode': cells(nameOf, sizeCell('spec.drivers'), ageOf),
  'storage.k8s.io/StorageClass': cells(
    withDefault(defaultClass),
    textCell('provisioner'),
    scalarCell('reclaimPolicy', 'Delete'),
    scalarCell('volumeBindingMode', 'Immediate'),
    booleanCell('allowVolumeExpansion'),
    ageOf,
  ),
  'storage.k8s.io/VolumeAttachment': cells(
    nameOf,
    textCell('spec.attacher'),
    textCell('spec.source.persistentVolumeName'),
    textCell('spec.nodeName'),
    booleanCell('status.attached'),
    ageOf,
  ),
  'storage.k8s.io/VolumeAttributesClass': cells(
    withDefault(['volumeattributesclass.alpha.kubernetes.io/is-default-class']),
    textCell('driverName'),
    ageOf,
  ),
};
