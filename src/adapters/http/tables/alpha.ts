import { type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import {
  ageOf,
  type Cells,
  cells,
  elapsed,
  labelsCell,
  listWithMore,
  nameAndAge,
  nameOf,
  numberAt,
  objectsAt,
  type Printers,
  scalarCell,
  textCell,
  textAt,
} from './cell.ts';

// Alpha and beta kinds. Follows kubernetes pkg/printers/internalversion/printers.go.

const lastType = (object: JsonObject, types: readonly string[]): string | undefined =>
  objectsAt(object, 'status', 'conditions')
    .map((condition) => textAt(condition, 'type'))
    .findLast((type) => types.includes(type));

const encodingVersions = (object: JsonObject): readonly string[] =>
  objectsAt(object, 'status', 'storageVersions').map(
    (version) => `${textAt(version, 'apiServerID')}=${textAt(version, 'encodingVersion')}`,
  );

function taintAge(rule: JsonObject, now: number): string {
  const added = valueAt(rule, 'spec', 'taint', 'timeAdded');
  return added === undefined ? '' : elapsed(added, now);
}

const poolCounts = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'];

const resourcePoolStatusCells: Cells = (object, now) => {
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

const schedulingPolicy = (object: JsonObject): string =>
  valueAt(object, 'spec', 'schedulingPolicy', 'gang') === undefined ? 'Basic' : 'Gang';

/** `podGroupTemplateRef` is the field of 1.36. */
const workloadOf = (object: JsonObject): string =>
  textAt(object, 'spec', 'workloadRef', 'workloadName') ||
  textAt(object, 'spec', 'podGroupTemplateRef', 'workload', 'workloadName') ||
  '<none>';

function podGroupState(object: JsonObject): string {
  const last = (type: string): JsonObject | undefined =>
    objectsAt(object, 'status', 'conditions').findLast((condition) => condition['type'] === type);
  const disrupted = last('DisruptionTarget');
  if (disrupted) return textAt(disrupted, 'reason');
  const scheduled = last('PodGroupInitiallyScheduled') ?? last('PodGroupScheduled'); // the latter in 1.36
  if (scheduled === undefined) return 'Pending';
  return scheduled['status'] === 'True' ? 'Scheduled' : 'Unschedulable';
}

const migratedResource = (migration: JsonObject): string =>
  groupResourceText({
    group: textAt(migration, 'spec', 'resource', 'group'),
    resource: textAt(migration, 'spec', 'resource', 'resource'),
  });

const migrationState = (migration: JsonObject): string =>
  objectsAt(migration, 'status', 'conditions')
    .filter(({ status }) => status === 'True')
    .map((condition) => textAt(condition, 'type'))
    .findLast((type) => ['Running', 'Failed', 'Succeeded'].includes(type)) ?? 'Unknown';

export const alphaPrinters: Printers = {
  'certificates.k8s.io/ClusterTrustBundle': cells(nameOf, textCell('spec.signerName', '<none>')),
  'certificates.k8s.io/PodCertificateRequest': cells(
    nameOf,
    textCell('spec.podName'),
    textCell('spec.serviceAccountName'),
    textCell('spec.nodeName'),
    textCell('spec.signerName'),
    (request) => lastType(request, ['Issued', 'Denied', 'Failed']) ?? 'Pending',
    labelsCell('spec.unverifiedUserAnnotations'),
  ),
  'coordination.k8s.io/LeaseCandidate': cells(
    nameOf,
    textCell('spec.leaseName'),
    textCell('spec.binaryVersion'),
    textCell('spec.emulationVersion'),
    ageOf,
  ),
  'internal.apiserver.k8s.io/StorageVersion': cells(
    nameOf,
    scalarCell('status.commonEncodingVersion', '<unset>'),
    (object) => listWithMore(encodingVersions(object), 3),
    ageOf,
  ),
  'resource.k8s.io/DeviceTaintRule': cells(
    nameOf,
    textCell('spec.taint.key'),
    textCell('spec.taint.value'),
    textCell('spec.taint.effect'),
    taintAge,
    ageOf,
  ),
  'resource.k8s.io/ResourcePoolStatusRequest': resourcePoolStatusCells,
  'scheduling.k8s.io/CompositePodGroup': cells(nameOf, schedulingPolicy, workloadOf, ageOf),
  'scheduling.k8s.io/PodGroup': cells(nameOf, schedulingPolicy, workloadOf, podGroupState, ageOf),
  'scheduling.k8s.io/Workload': nameAndAge,
  'storagemigration.k8s.io/StorageVersionMigration': cells(nameOf, migratedResource, migrationState),
};
