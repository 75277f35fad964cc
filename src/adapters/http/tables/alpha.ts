import { type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import {
  ageOf,
  type Cells,
  elapsed,
  labelsText,
  listWithMore,
  nameOf,
  numberAt,
  objectsAt,
  scalarAt,
  textAt,
} from './cell.ts';

// Alpha and beta kinds. Follows kubernetes pkg/printers/internalversion/printers.go.

export const clusterTrustBundleCells: Cells = (object) => [
  nameOf(object),
  textAt(object, 'spec', 'signerName') || '<none>',
];

export const podCertificateRequestCells: Cells = (object) => [
  nameOf(object),
  textAt(object, 'spec', 'podName'),
  textAt(object, 'spec', 'serviceAccountName'),
  textAt(object, 'spec', 'nodeName'),
  textAt(object, 'spec', 'signerName'),
  lastType(object, ['Issued', 'Denied', 'Failed']) ?? 'Pending',
  labelsText(valueAt(object, 'spec', 'unverifiedUserAnnotations')),
];

const lastType = (object: JsonObject, types: readonly string[]): string | undefined =>
  objectsAt(object, 'status', 'conditions')
    .map((condition) => textAt(condition, 'type'))
    .findLast((type) => types.includes(type));

export const leaseCandidateCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'leaseName'),
  textAt(object, 'spec', 'binaryVersion'),
  textAt(object, 'spec', 'emulationVersion'),
  ageOf(object, now),
];

export const storageVersionCells: Cells = (object, now) => [
  nameOf(object),
  scalarAt(object, ['status', 'commonEncodingVersion'], '<unset>'),
  listWithMore(
    objectsAt(object, 'status', 'storageVersions').map(
      (version) => `${textAt(version, 'apiServerID')}=${textAt(version, 'encodingVersion')}`,
    ),
    3,
  ),
  ageOf(object, now),
];

export const deviceTaintRuleCells: Cells = (object, now) => {
  const added = valueAt(object, 'spec', 'taint', 'timeAdded');
  return [
    nameOf(object),
    textAt(object, 'spec', 'taint', 'key'),
    textAt(object, 'spec', 'taint', 'value'),
    textAt(object, 'spec', 'taint', 'effect'),
    added === undefined ? '' : elapsed(added, now),
    ageOf(object, now),
  ];
};

const poolCounts = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'];

export const resourcePoolStatusCells: Cells = (object, now) => {
  const ended = objectsAt(object, 'status', 'conditions').find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const isComplete = ended?.['type'] === 'Complete';
  const pools = objectsAt(object, 'status', 'pools');
  const pages = numberAt(object, 'status', 'poolCount');
  const isCounted = valueAt(object, 'status') !== undefined && ended?.['type'] !== 'Failed';
  const sum = (field: string): string =>
    isCounted ? String(pools.reduce((total, pool) => total + Number(pool[field] ?? 0), 0)) : '-';
  const faults = pools.filter((pool) => pool['validationError'] !== undefined).length;
  const isCut = isComplete && pages > pools.length;
  return [
    nameOf(object),
    textAt(object, 'spec', 'driver'),
    ...poolCounts.map(sum),
    isCounted ? String(faults) : '-',
    pages,
    ended ? `${textAt(ended, 'type')}${isCut ? ` (${pools.length}/${pages} pools)` : ''}` : 'Pending',
    isComplete ? elapsed(valueAt(ended, 'lastTransitionTime'), now) : '<none>',
  ];
};

export const podGroupCells: Cells = (object, now) => [
  nameOf(object),
  ...workloadCells(object),
  podGroupState(object),
  ageOf(object, now),
];

export const compositePodGroupCells: Cells = (object, now) => [
  nameOf(object),
  ...workloadCells(object),
  ageOf(object, now),
];

/** `podGroupTemplateRef` is the field of 1.36. */
const workloadCells = (object: JsonObject): readonly [policy: string, workload: string] => [
  valueAt(object, 'spec', 'schedulingPolicy', 'gang') === undefined ? 'Basic' : 'Gang',
  textAt(object, 'spec', 'workloadRef', 'workloadName') ||
    textAt(object, 'spec', 'podGroupTemplateRef', 'workload', 'workloadName') ||
    '<none>',
];

function podGroupState(object: JsonObject): string {
  const last = (type: string): JsonObject | undefined =>
    objectsAt(object, 'status', 'conditions').findLast((condition) => condition['type'] === type);
  const disrupted = last('DisruptionTarget');
  if (disrupted) return textAt(disrupted, 'reason');
  const scheduled = last('PodGroupInitiallyScheduled') ?? last('PodGroupScheduled'); // the latter in 1.36
  if (scheduled === undefined) return 'Pending';
  return scheduled['status'] === 'True' ? 'Scheduled' : 'Unschedulable';
}

export const storageVersionMigrationCells: Cells = (object) => [
  nameOf(object),
  groupResourceText({
    group: textAt(object, 'spec', 'resource', 'group'),
    resource: textAt(object, 'spec', 'resource', 'resource'),
  }),
  objectsAt(object, 'status', 'conditions')
    .filter(({ status }) => status === 'True')
    .map((condition) => textAt(condition, 'type'))
    .findLast((type) => ['Running', 'Failed', 'Succeeded'].includes(type)) ?? 'Unknown',
];
