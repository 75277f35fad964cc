import { sameJson } from '../../machinery/json/json-equal.ts';
import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { mapFields } from '../../machinery/meta/map-fields.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject, ObjectMeta, StringMap } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Job } from '../types/generated/batch-v1.ts';
import { controllerUpdateWarnings, templateUpdateWarnings, templateWarnings } from '../validation/core/pod-warnings.ts';
import { labelName, wholeSubdomain } from '../validation/meta/name-rule.ts';
import { changeOf, changeOfSpecOrAnnotations } from './generation.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withField } from './with-field.ts';
import {
  cronJobUpdateWarnings,
  cronJobWarnings,
  jobUpdateWarnings,
  jobWarnings,
  namedTemplateWarnings,
  statefulSetUpdateWarnings,
  statefulSetWarnings,
} from './workload-warnings.ts';

/** Keys stay sorted, as Go prints them. */
export function withEntry(map: StringMap = {}, key: string, value: string): StringMap {
  const names = Object.hasOwn(map, key) ? Object.keys(map).toSorted() : [...Object.keys(map), key].sort();
  return mapFields(names, (name) => (name === key ? value : map[name]));
}

/** Follows kubernetes pkg/registry/batch/job/strategy.go. */
const jobRules: ResourceRules = {
  newGeneration: changeOf('spec'),
  emptyStatus: {},
  defaultGarbageCollection: 'Orphan',
  defaultGarbageCollectionWarning:
    'child pods are preserved by default when jobs are deleted; ' +
    'set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  prepareForCreate: (job) => ok(withGeneratedSelector(job)),
};

/** Unless manualSelector is set: labels unique to the job's pods, and their selector. */
function withGeneratedSelector(object: KubernetesObject): KubernetesObject {
  const job: Job = object;
  const spec = asObject(job.spec);
  if (spec.manualSelector === true) return object;
  const { name = '', uid = '' } = metadataOf(object);
  const template = asObject(spec.template);
  const metadata = asObject(template.metadata);
  const labels = missing(metadata.labels, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  const selector = asObject(spec.selector);
  const matchLabels = missing(selector.matchLabels, { 'batch.kubernetes.io/controller-uid': uid });
  const generated = {
    selector: { matchLabels, ...without(selector, 'matchLabels') },
    template: { ...template, metadata: { ...metadata, labels } },
  };
  const selecting = withField(object, 'spec', { ...spec, ...generated });
  return sharesLabels(object, metadata) ? withMetadata(selecting, { labels }) : selecting;
}

/** In Go, a defaulted job shares its label map with the template; one decoded again after a webhook patch does not. */
function sharesLabels(job: KubernetesObject, template: ObjectMeta): boolean {
  const { labels } = metadataOf(job);
  return labels !== undefined && labels === template.labels;
}

const missing = (labels: StringMap | undefined, generated: StringMap): StringMap => ({ ...generated, ...labels });

const without = (object: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));

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

/** Counted in an annotation since apps/v1. */
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
