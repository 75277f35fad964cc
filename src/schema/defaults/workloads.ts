import { isJsonObject } from '../../apimachinery/json.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { labelledFromTemplate, templateLabels } from './template-labels.ts';
import { podTemplateSpec } from './pod.ts';
import { hasEntries } from './map-entries.ts';
import { always, both, each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

const rollingDeployment = structDefaults({ maxUnavailable: '25%', maxSurge: '25%' });

const deploymentStrategy = structDefaults({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDeployment)(value, {}) : value,
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_Deployment. */
export const deployment = structDefaults({
  spec: always(
    structDefaults({
      replicas: 1,
      template: inside(podTemplateSpec),
      strategy: always(deploymentStrategy),
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  ),
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_ReplicaSet. */
export const replicaSet = structDefaults({
  spec: always(structDefaults({ replicas: 1, template: inside(podTemplateSpec) })),
});

/** A rolling update without a type is the default one; with the type said, an absent `rollingUpdate` stays absent. */
const statefulSetUpdateStrategy = structDefaults({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) => {
    const rollingUpdate = value ?? (type === undefined ? {} : undefined);
    const isRolling = type === undefined || type === 'RollingUpdate';
    return isRolling && isJsonObject(rollingUpdate) ? partition(rollingUpdate) : rollingUpdate;
  },
});
const partition = structDefaults({ partition: 0 });

/** A claim template prints its kind and apiVersion. Follows kubernetes pkg/apis/apps/v1/conversion.go. */
const claimTemplate = both(
  persistentVolumeClaim,
  structDefaults({
    kind: () => 'PersistentVolumeClaim',
    apiVersion: () => 'v1',
  }),
);

const claimRetention = structDefaults({
  whenDeleted: 'Retain',
  whenScaled: 'Retain',
});

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet. */
export const statefulSet = structDefaults({
  spec: always(
    structDefaults({
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

const rollingDaemonSet = structDefaults({ maxUnavailable: 1, maxSurge: 0 });

const daemonSetUpdateStrategy = structDefaults({
  type: 'RollingUpdate',
  rollingUpdate: (value, { type }) =>
    (type ?? 'RollingUpdate') === 'RollingUpdate' ? always(rollingDaemonSet)(value, {}) : value,
});

/** The template generation of old, an int64 as Go prints it. */
const templateGeneration: Defaulter = (annotations) =>
  Object.hasOwn(annotations, templateGenerationKey) ? annotations : { ...annotations, [templateGenerationKey]: '0' };
const templateGenerationKey = 'deprecated.daemonset.template.generation';

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_DaemonSet and pkg/apis/apps/v1/conversion.go. */
export const daemonSet = structDefaults({
  metadata: always(structDefaults({ annotations: always(templateGeneration) })),
  spec: always(
    structDefaults({
      template: inside(podTemplateSpec),
      updateStrategy: always(daemonSetUpdateStrategy),
      revisionHistoryLimit: 10,
    }),
  ),
});

const replicationControllerSpec = structDefaults({
  replicas: 1,
  selector: (value, { template }) => (hasEntries(value) ? value : (templateLabels(template) ?? value)),
  template: inside(podTemplateSpec),
});

/** Selector and labels come from the template when absent. Follows kubernetes pkg/apis/core/v1/defaults.go. */
export const replicationController = both(
  labelledFromTemplate,
  structDefaults({ spec: always(replicationControllerSpec) }),
);

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplate = structDefaults({ template: inside(podTemplateSpec) });
