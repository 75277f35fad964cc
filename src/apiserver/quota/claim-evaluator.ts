import { asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { compareQuantities, parseQuantity, type Quantity, roundUpQuantity } from '../../machinery/meta/quantity.ts';
import type { Evaluator, QuotaWrite } from './evaluator.ts';
import { namesMeet } from './scope.ts';
import { count, type Usage } from './usage.ts';
import type { PersistentVolumeClaim } from '../../api/types/generated/core-v1.ts';

const countedAs = 'count/persistentvolumeclaims';
const claims = 'persistentvolumeclaims';
const storage = 'requests.storage';
/** `gold.storageclass.storage.k8s.io/requests.storage`. */
const ofClass = '.storageclass.storage.k8s.io/';

/** Upstream intends relevant status changes, but its comparison accepts all. */
const handles = ({ operation, subresource, object, oldObject }: QuotaWrite): boolean =>
  subresource === ''
    ? operation === 'CREATE' || operation === 'UPDATE'
    : subresource === 'status' && object !== null && oldObject !== null;

/** Follows kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims.go. */
export const claimEvaluator: Evaluator = {
  handles,
  matchingNames: (requested) =>
    requested.filter(
      (name) =>
        [countedAs, claims, storage].includes(name) || [claims, storage].some((one) => name.endsWith(ofClass + one)),
    ),
  usage,
  isInScope: (scope, claim) =>
    scope.scopeName === 'VolumeAttributesClass' && namesMeet(scope, attributesClassesOf(claim)),
};

function usage(claim: PersistentVolumeClaim): Usage {
  const used = new Map([
    [claims, count(1)],
    [countedAs, count(1)],
  ]);
  const name = storageClassOf(claim);
  const requested = storageOf(claim);
  if (name !== '') used.set(`${name}${ofClass}${claims}`, count(1));
  if (requested !== undefined) used.set(storage, requested);
  if (requested !== undefined && name !== '') used.set(`${name}${ofClass}${storage}`, requested);
  return used;
}

/** The beta annotation overrides the field. */
const storageClassOf = (claim: PersistentVolumeClaim): string =>
  metadataOf(claim).annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  asString(asObject(claim.spec).storageClassName);

/** In whole bytes: the larger of requested and allocated. */
function storageOf(claim: PersistentVolumeClaim): Quantity | undefined {
  const requested = bytes(claim.spec?.resources?.requests?.['storage']);
  const allocated = bytes(claim.status?.allocatedResources?.['storage']);
  if (requested === undefined || allocated === undefined) return requested;
  return compareQuantities(allocated, requested) > 0 ? allocated : requested;
}

function bytes(value: string | undefined): Quantity | undefined {
  const reading = value === undefined ? undefined : parseQuantity(value);
  return reading?.outcome === 'parsed' ? roundUpQuantity(reading.quantity, 0) : undefined;
}

/** VolumeAttributesClasses: requested, current and target. */
const attributesClassesOf = (claim: PersistentVolumeClaim): readonly string[] => [
  ...new Set(
    [
      claim.spec?.volumeAttributesClassName,
      claim.status?.currentVolumeAttributesClassName,
      claim.status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ]
      .map(asString)
      .filter((name) => name !== ''),
  ),
];
