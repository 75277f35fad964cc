import { sameJson } from '../../machinery/json/json-equal.ts';
import { asObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { controllerUpdateWarnings, templateUpdateWarnings, templateWarnings } from '../validation/core/pod-warnings.ts';
import { changeOf, changeOfSpecOrAnnotations } from './generation.ts';
import { jobRules } from './jobs.ts';
import { labelName, wholeSubdomain } from '../validation/meta/name-rule.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withEntry } from './with-entry.ts';
import {
  cronJobUpdateWarnings,
  cronJobWarnings,
  jobUpdateWarnings,
  jobWarnings,
  namedTemplateWarnings,
  statefulSetUpdateWarnings,
  statefulSetWarnings,
} from './workload-warnings.ts';

const ofTemplate = { warningsOnCreate: templateWarnings, warningsOnUpdate: templateUpdateWarnings } as const;
const ofNamedTemplate = { ...ofTemplate, warningsOnCreate: namedTemplateWarnings } as const;
const generationOfSpec = { newGeneration: changeOf('spec'), ...ofTemplate } as const;

/** Follows kubernetes pkg/registry/apps/{deployment,replicaset,statefulset,daemonset}/strategy.go, core/replicationcontroller, batch/cronjob. */
export const workloadRules: Readonly<Record<string, ResourceRules>> = {
  'apps/deployments': {
    ...ofNamedTemplate,
    newGeneration: changeOfSpecOrAnnotations,
    emptyStatus: {},
    prepareForUpdate: (deployment, old, subresource) =>
      ok(subresource === 'status' ? withMetadata(deployment, { labels: metadataOf(old).labels }) : deployment),
  },
  'apps/replicasets': { ...generationOfSpec, ...ofNamedTemplate, emptyStatus: { replicas: 0 } },
  'apps/statefulsets': {
    ...generationOfSpec,
    name: labelName,
    warningsOnCreate: statefulSetWarnings,
    warningsOnUpdate: statefulSetUpdateWarnings,
    emptyStatus: { replicas: 0, availableReplicas: 0 },
  },
  'apps/daemonsets': {
    ...generationOfSpec,
    emptyStatus: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
    prepareForCreate: (daemonSet) => ok(withTemplateGeneration(daemonSet, templateGenerationOf(daemonSet) || 1)),
    prepareForUpdate: (daemonSet, old) => ok(withTemplateGeneration(daemonSet, nextTemplateGeneration(daemonSet, old))),
  },
  'apps/controllerrevisions': {},
  '/replicationcontrollers': {
    ...generationOfSpec,
    name: wholeSubdomain,
    warningsOnCreate: namedTemplateWarnings,
    warningsOnUpdate: controllerUpdateWarnings,
    emptyStatus: { replicas: 0 },
    defaultGarbageCollection: 'Orphan',
  },
  'batch/jobs': { ...jobRules, warningsOnCreate: jobWarnings, warningsOnUpdate: jobUpdateWarnings },
  'batch/cronjobs': {
    newGeneration: changeOf('spec'),
    emptyStatus: {},
    warningsOnCreate: cronJobWarnings,
    warningsOnUpdate: cronJobUpdateWarnings,
  },
};

const templateGeneration = 'deprecated.daemonset.template.generation';

/** DaemonSets count the generations of their template, in an annotation since apps/v1. */
function withTemplateGeneration(daemonSet: KubernetesObject, generation: number): KubernetesObject {
  const { annotations } = metadataOf(daemonSet);
  const text = String(generation);
  if (annotations?.[templateGeneration] === text) return daemonSet;
  return withMetadata(daemonSet, { annotations: withEntry(annotations, templateGeneration, text) });
}

function nextTemplateGeneration(daemonSet: KubernetesObject, old: KubernetesObject): number {
  const current = templateGenerationOf(old);
  return sameJson(templateOf(daemonSet), templateOf(old)) ? current : current + 1;
}

const templateGenerationOf = (daemonSet: KubernetesObject): number =>
  Number(metadataOf(daemonSet).annotations?.[templateGeneration] ?? 0);

const templateOf = (object: KubernetesObject): JsonObject => asObject(asObject(object['spec'])['template']);
