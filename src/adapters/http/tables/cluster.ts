import { isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { ageOf, booleanAt, isBeingDeleted, nameOf, numberAt, objectsAt, sizeAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const priorityClassCells: Cells = (object, now) => [
  nameOf(object),
  numberAt(object, 'value'),
  booleanAt(object, ['globalDefault']),
  ageOf(object, now),
  textAt(object, 'preemptionPolicy'),
];

export const leaseCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'holderIdentity'),
  ageOf(object, now),
];

export const runtimeClassCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'handler'),
  ageOf(object, now),
];

export const resourceClaimCells: Cells = (object, now) => [nameOf(object), claimState(object), ageOf(object, now)];

function claimState(claim: JsonObject): string {
  const deleted = isBeingDeleted(claim) ? ['deleted'] : [];
  if (!isJsonObject(valueAt(claim, 'status', 'allocation'))) return deleted[0] ?? 'pending';
  const reserved = sizeAt(claim, 'status', 'reservedFor') > 0 ? ['reserved'] : [];
  return [...deleted, 'allocated', ...reserved].join(',');
}

export const resourceSliceCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'nodeName'),
  textAt(object, 'spec', 'driver'),
  textAt(object, 'spec', 'pool', 'name'),
  ageOf(object, now),
];

/** Follows kube-aggregator pkg/registry/apiservice/etcd/etcd.go ConvertToTable. */
export const apiServiceCells: Cells = (object, now) => {
  const service = valueAt(object, 'spec', 'service');
  return [
    nameOf(object),
    isJsonObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local',
    availability(object),
    ageOf(object, now),
  ];
};

function availability(apiService: JsonObject): string {
  const available = objectsAt(apiService, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = textAt(available, 'status');
  return status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
}
