import type { NewUid } from '../machinery/clock.ts';
import type { Handle } from '../apiserver/request/handle.ts';
import { runApiServiceController } from './api-service-controller.ts';
import { controllerManager, createClientFactory, type User } from './client.ts';
import { certificateSigner } from './certificate-signer.ts';
import { clusterRoleAggregationController } from './cluster-role-aggregation.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { serviceAccountsController, rootCaPublisher } from './namespace-objects.ts';
import { type ControllerName, controllerNames } from './enabled-controllers.ts';
import { runDefinitionController, type DefinitionControllerContext } from './definition-controller.ts';
import { type QueueProgress, combineProgress } from './work-queue.ts';
import type { ClusterCache } from '../apiserver/storage/cluster-cache.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import { type EventTtl, expireEvents } from './event-expiry.ts';
import { runFlowControlController } from './flow-control/flow-control-controller.ts';
import { garbageCollector } from './garbage-collector.ts';
import { namespaceController } from './namespace-controller.ts';
import { nodeLifecycleController } from './node-taints.ts';
import { abortReason } from './abort-signals.ts';
import { policyStatusController } from './policy-status.ts';
import { podGcController, podTerminator } from './pod-gc.ts';
import { resourceQuotaController } from './resource-quota.ts';
import { volumeAttributesClassProtection, claimProtection, volumeProtection } from './storage-protection.ts';
import { taintEviction } from './taint-eviction.ts';
import { withAccountUid } from './service-accounts.ts';
import { runServiceAddressController } from './service-address-controller.ts';
import { cronJobController } from './workloads/cronjob/cronjob.ts';
import { daemonSetController } from './workloads/daemonset/daemonset.ts';
import { deploymentController } from './workloads/deployment/deployment.ts';
import { disruptionController } from './workloads/disruption.ts';
import { jobController } from './workloads/job/job.ts';
import { endpointsController } from './workloads/endpoints/endpoints.ts';
import { endpointSliceController } from './workloads/endpoints/endpointslice.ts';
import { endpointSliceMirroring } from './workloads/endpoints/mirroring.ts';
import { ttlAfterFinished } from './workloads/job/ttl-after-finished.ts';
import { replicaController } from './workloads/replica-set.ts';
import { statefulSetController } from './workloads/statefulset/statefulset.ts';
import { replicaSets, replicationControllers } from './workloads/replica-kinds.ts';

export interface ControllerPorts extends Pick<
  ControllerContext,
  'served' | 'clock' | 'onBug' | 'rootCa' | 'signRequest' | 'aggregatedRules' | 'typeWarnings'
> {
  readonly handle: Handle;
  readonly storage: Storage;
  readonly store: ClusterCache;
  readonly newUid: NewUid;
  readonly caBundleError: DefinitionControllerContext['caBundleError'];
  readonly eventLife: EventTtl;
  readonly serviceClusterIpRange: string;
}

export interface ControllersHandle {
  readonly isIdle: () => boolean;
  readonly busyControllers: () => readonly string[];
  /** Resolves when no controller has work that is due. */
  readonly idle: () => Promise<void>;
  /** Resolves when all have stopped. */
  readonly close: () => Promise<void>;
}

const controllers: Readonly<Record<ControllerName, Controller>> = {
  'serviceaccount-controller': serviceAccountsController,
  'root-ca-certificate-publisher-controller': rootCaPublisher,
  'namespace-controller': namespaceController,
  'clusterrole-aggregation-controller': clusterRoleAggregationController,
  'garbage-collector-controller': garbageCollector,
  'pod-garbage-collector-controller': (context) => combineProgress([podTerminator(context), podGcController(context)]),
  'validatingadmissionpolicy-status-controller': policyStatusController,
  'resourcequota-controller': resourceQuotaController,
  'disruption-controller': disruptionController,
  'deployment-controller': deploymentController,
  'replicaset-controller': replicaController(replicaSets),
  'replicationcontroller-controller': replicaController(replicationControllers),
  'statefulset-controller': statefulSetController,
  'daemonset-controller': daemonSetController,
  'job-controller': jobController,
  'cronjob-controller': cronJobController,
  'ttl-after-finished-controller': ttlAfterFinished,
  'node-lifecycle-controller': nodeLifecycleController,
  'taint-eviction-controller': taintEviction,
  'endpointslice-controller': endpointSliceController,
  'endpointslice-mirroring-controller': endpointSliceMirroring,
  'endpoints-controller': endpointsController,
  'certificatesigningrequest-signing-controller': certificateSigner,
  'persistentvolumeclaim-protection-controller': claimProtection,
  'persistentvolume-protection-controller': volumeProtection,
  'volumeattributesclass-protection-controller': volumeAttributesClassProtection,
};

/** Starts the enabled controllers, and `more`. They read storage and write through `handle`. */
export function startControllers(
  ports: ControllerPorts,
  enabled: ReadonlySet<ControllerName>,
  more: readonly Controller[] = [],
): ControllersHandle {
  const { context, createHandle: runningOf } = openContext(ports);
  const { eventLife, storage } = ports;
  const running = controllerNames
    .filter((name) => enabled.has(name))
    .map((name): NamedProgress => [name, controllers[name](context)]);
  const expiry = eventLife.ttl > 0 ? [nameProgress('expiry of Events', expireEvents(context, storage, eventLife))] : [];
  return runningOf([...running, ...expiry, ...more.map((start) => nameProgress('simulated nodes', start(context)))]);
}

/** Starts the API server's own controllers for definitions and APIServices, and `more`, in every process. */
export function startApiControllers(
  ports: ControllerPorts,
  more: readonly Controller[] = [],
): ControllersHandle & { readonly definitions: QueueProgress } {
  const { context, makeClient, createHandle: runningOf } = openContext(ports);
  const ofServer = { ...context, clientFor: (user: User) => makeClient(user, 'kube-apiserver') };
  const definitions = combineProgress([
    runDefinitionController({ ...ofServer, storage: ports.storage, caBundleError: ports.caBundleError }),
    runApiServiceController(ofServer),
  ]);
  const own = [
    nameProgress('definitions and APIServices', definitions),
    nameProgress('addresses of Services', runServiceAddressController(ofServer, ports.serviceClusterIpRange)),
    nameProgress('flow control', runFlowControlController(ofServer)),
  ];
  const others = more.map((start) => nameProgress('keepers of the server', start(context)));
  return { ...runningOf([...own, ...others]), definitions };
}

type NamedProgress = readonly [name: string, progress: QueueProgress];

const nameProgress = (name: string, progress: QueueProgress): NamedProgress => [name, progress];

interface StartedContext {
  readonly context: ControllerContext;
  readonly makeClient: ReturnType<typeof createClientFactory>;
  readonly createHandle: (running: readonly NamedProgress[]) => ControllersHandle;
}

function openContext(ports: ControllerPorts): StartedContext {
  const stop = new AbortController();
  const closers: (() => void)[] = [];
  const makeClient = createClientFactory({ ...ports, signal: stop.signal });
  const context: ControllerContext = {
    ...ports,
    signal: stop.signal,
    whenClosed: (act) => closers.push(act),
    clientFor: (user, userAgent = controllerManager) =>
      makeClient(withAccountUid(user, ports.store, ports.newUid), userAgent),
  };
  return {
    context,
    makeClient,
    createHandle: (running) => {
      const { isIdle, whenIdle, whenEnded } = combineProgress(running.map(([, progress]) => progress));
      return {
        isIdle,
        busyControllers: () => running.filter(([, progress]) => !progress.isIdle()).map(([name]) => name),
        idle: whenIdle,
        close: async () => {
          stop.abort(abortReason);
          for (const act of closers) act();
          await whenEnded();
        },
      };
    },
  };
}
