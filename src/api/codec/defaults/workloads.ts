import type { ObjectMeta, StringMap } from '../../../machinery/meta/object.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { labelledFromTemplate, templateLabels } from './template-labels.ts';
import { podTemplateSpec } from './pod.ts';
import { hasEntries } from '../../../machinery/json/map-entries.ts';
import { always, both, each, inside, structDefaults, type Defaulter } from './struct-defaults.ts';
import type * as apps from '../../types/generated/apps-v1.ts';
import type * as core from '../../types/generated/core-v1.ts';

const rollingDeployment = structDefaults<apps.RollingUpdateDeployment>({ maxUnavailable: '25%', maxSurge: '25%' });

const deploymentStrategy = structDefaults<apps.DeploymentStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDeployment)(value) : value,
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_Deployment. */
export const deployment = structDefaults<apps.Deployment>({
  spec: always(
    structDefaults<apps.DeploymentSpec>({
      replicas: 1,
      template: inside(podTemplateSpec),
      strategy: always(deploymentStrategy),
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  ),
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_ReplicaSet. */
export const replicaSet = structDefaults<apps.ReplicaSet>({
  spec: always(structDefaults<apps.ReplicaSetSpec>({ replicas: 1, template: inside(podTemplateSpec) })),
});

/** Without a type, `rollingUpdate` is created; with one, an absent `rollingUpdate` stays absent. */
const statefulSetUpdateStrategy = structDefaults<apps.StatefulSetUpdateStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) => {
    const rollingUpdate = value ?? (type === undefined ? {} : undefined);
    const isRolling = type === undefined || type === 'RollingUpdate';
    return isRolling && rollingUpdate !== undefined ? partition(rollingUpdate) : rollingUpdate;
  },
});
const partition = structDefaults<apps.RollingUpdateStatefulSetStrategy>({ partition: 0 });

/** Follows kubernetes pkg/apis/apps/v1/conversion.go. */
const claimTemplate = both(
  persistentVolumeClaim,
  structDefaults<Partial<core.PersistentVolumeClaim>>({
    kind: () => 'PersistentVolumeClaim',
    apiVersion: () => 'v1',
  }),
);

const claimRetention = structDefaults<apps.StatefulSetPersistentVolumeClaimRetentionPolicy>({
  whenDeleted: 'Retain',
  whenScaled: 'Retain',
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet. */
export const statefulSet = structDefaults<apps.StatefulSet>({
  spec: always(
    structDefaults<apps.StatefulSetSpec>({
      replicas: 1,
      template: inside(podTemplateSpec),
      volumeClaimTemplates: each(claimTemplate),
      podManagementPolicy: 'OrderedReady',
      updateStrategy: always(statefulSetUpdateStrategy),
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: always(claimRetention),
    }),
  ),
});

const rollingDaemonSet = structDefaults<apps.RollingUpdateDaemonSet>({ maxUnavailable: 1, maxSurge: 0 });

const daemonSetUpdateStrategy = structDefaults<apps.DaemonSetUpdateStrategy>({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDaemonSet)(value) : value,
});

const templateGeneration: Defaulter<StringMap> = (annotations) =>
  Object.hasOwn(annotations, templateGenerationKey) ? annotations : { ...annotations, [templateGenerationKey]: '0' };
const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_DaemonSet and pkg/apis/apps/v1/conversion.go. */
export const daemonSet = structDefaults<apps.DaemonSet>({
  metadata: always(structDefaults<ObjectMeta>({ annotations: always(templateGeneration) })),
  spec: always(
    structDefaults<apps.DaemonSetSpec>({
      template: inside(podTemplateSpec),
      updateStrategy: always(daemonSetUpdateStrategy),
      revisionHistoryLimit: 10,
    }),
  ),
});

const replicationControllerSpec = structDefaults<core.ReplicationControllerSpec>({
  replicas: 1,
  selector: (value, { template }) => (hasEntries(value) ? value : (templateLabels(template) ?? value)),
  template: inside(podTemplateSpec),
});

/** Selector and labels default to those of the template. Follows kubernetes pkg/apis/core/v1/defaults.go. */
export const replicationController = both<core.ReplicationController>(
  labelledFromTemplate,
  structDefaults<core.ReplicationController>({ spec: always(replicationControllerSpec) }),
);

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplate = structDefaults<core.PodTemplate>({ template: inside(podTemplateSpec) });
