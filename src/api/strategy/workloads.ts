import { sameJson } from '../../machinery/json/json-equal.ts';
import { asObject, asList, asString, type JsonObject } from '../../machinery/json/json.ts';
import {
  type KubernetesObject,
  mapFields,
  metadataOf,
  type ObjectMeta,
  type StringMap,
  withMetadata,
} from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Job } from '../types/generated/batch-v1.ts';
import {
  controllerUpdateWarnings,
  templateUpdateWarnings,
  templateWarnings,
  podTemplateSpecWarnings,
} from '../validation/core/pod-warnings.ts';
import { labelName, wholeSubdomain } from '../validation/meta/object-meta.ts';
import { fieldsChanged, specOrAnnotationsChanged, withField, type ResourceRules } from './resource-rules.ts';
import { dns1123Label } from '../../machinery/meta/names.ts';
import { claimSpecWarnings } from './warnings.ts';

type OnCreate = (object: KubernetesObject) => readonly string[];
type OnUpdate = (object: KubernetesObject, old: KubernetesObject) => readonly string[];

/** Pods are named after it. Follows kubernetes pkg/registry/apps/deployment/strategy.go WarningsOnCreate and others. */
function nameWarnings(object: KubernetesObject): readonly string[] {
  const problems = dns1123Label(metadataOf(object).name ?? '');
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

export const namedTemplateWarnings: OnCreate = (object) => [...nameWarnings(object), ...templateWarnings(object)];

export const jobWarnings: OnCreate = (job) => [...nameWarnings(job), ...jobSpecWarnings(asObject(job['spec']), 'spec')];

export const jobUpdateWarnings: OnUpdate = (job, old) =>
  isSameGeneration(job, old) ? [] : jobSpecWarnings(asObject(job['spec']), 'spec');

/** Follows kubernetes pkg/registry/batch/cronjob/strategy.go. */
export const cronJobWarnings: OnCreate = (cronJob) => [...nameWarnings(cronJob), ...jobTemplateWarnings(cronJob)];

export const cronJobUpdateWarnings: OnUpdate = (cronJob, old) => [
  ...(isSameGeneration(cronJob, old) ? [] : jobTemplateWarnings(cronJob)),
  ...(asString(asObject(cronJob['spec'])['schedule']).includes('TZ') ? [timeZoneInScheduleText] : []),
];

const timeZoneInScheduleText =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

const jobTemplateWarnings = (cronJob: KubernetesObject): readonly string[] =>
  jobSpecWarnings(asObject(asObject(asObject(cronJob['spec'])['jobTemplate'])['spec']), 'spec.jobTemplate.spec');

/** Follows kubernetes pkg/api/job/warnings.go. */
function jobSpecWarnings(spec: JsonObject, path: string): readonly string[] {
  const [completions, parallelism] = [Number(spec['completions'] ?? 0), Number(spec['parallelism'] ?? 0)];
  const hasManyIndexes = spec['completionMode'] === 'Indexed' && completions > 100_000 && parallelism > 10_000;
  return [
    ...(hasManyIndexes ? [`${path}: ${manyIndexesText}`] : []),
    ...podTemplateSpecWarnings(asObject(spec['template']), `${path}.template.`),
  ];
}

const manyIndexesText =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** Follows kubernetes pkg/registry/apps/statefulset/strategy.go; the update path has `.Spec`. */
export const statefulSetWarnings: OnCreate = (set) => [...templateWarnings(set), ...statefulSetSpecWarnings(set, '')];

export const statefulSetUpdateWarnings: OnUpdate = (set, old) => [
  ...(isSameGeneration(set, old) ? [] : templateWarnings(set)),
  ...statefulSetSpecWarnings(set, '.Spec'),
];

function statefulSetSpecWarnings(set: KubernetesObject, below: string): readonly string[] {
  const { volumeClaimTemplates, revisionHistoryLimit } = asObject(set['spec']);
  const claims = asList(volumeClaimTemplates).flatMap((claim, index) =>
    claimSpecWarnings(asObject(asObject(claim)['spec']), `spec.volumeClaimTemplates[${index}]${below}`),
  );
  return Number(revisionHistoryLimit ?? 0) < 0 ? [...claims, retainsAllRevisionsText] : claims;
}

const retainsAllRevisionsText =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** Follows kubernetes pkg/registry/core/podtemplate/strategy.go. */
export const podTemplateWarnings: OnCreate = (object) =>
  podTemplateSpecWarnings(asObject(object['template']), 'template.');

export const podTemplateUpdateWarnings: OnUpdate = (object, old) =>
  isSameGeneration(object, old) ? [] : podTemplateWarnings(object);

const isSameGeneration = (one: KubernetesObject, other: KubernetesObject): boolean =>
  metadataOf(one).generation === metadataOf(other).generation;

/** Keys stay sorted, as Go prints them. */
export function withEntry(map: StringMap = {}, key: string, value: string): StringMap {
  const names = Object.hasOwn(map, key) ? Object.keys(map).toSorted() : [...Object.keys(map), key].sort();
  return mapFields(names, (name) => (name === key ? value : map[name]));
}

/** Follows kubernetes pkg/registry/batch/job/strategy.go. */
const jobRules: ResourceRules = {
  newGeneration: fieldsChanged('spec'),
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
  const labels = addMissing(metadata.labels, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  const selector = asObject(spec.selector);
  const matchLabels = addMissing(selector.matchLabels, { 'batch.kubernetes.io/controller-uid': uid });
  const generated = {
    selector: { matchLabels, ...withoutField(selector, 'matchLabels') },
    template: { ...template, metadata: { ...metadata, labels } },
  };
  const selecting = withField(object, 'spec', { ...spec, ...generated });
  return hasSharedLabels(object, metadata) ? withMetadata(selecting, { labels }) : selecting;
}

/** In Go, a defaulted job shares its label map with the template; one decoded again after a webhook patch does not. */
function hasSharedLabels(job: KubernetesObject, template: ObjectMeta): boolean {
  const { labels } = metadataOf(job);
  return labels !== undefined && labels === template.labels;
}

const addMissing = (labels: StringMap | undefined, generated: StringMap): StringMap => ({ ...generated, ...labels });

const withoutField = (object: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));

const templateRules = { warningsOnCreate: templateWarnings, warningsOnUpdate: templateUpdateWarnings } as const;
const namedTemplateRules = { ...templateRules, warningsOnCreate: namedTemplateWarnings } as const;
const countedTemplateRules = { newGeneration: fieldsChanged('spec'), ...templateRules } as const;

/** Follows kubernetes pkg/registry/apps/{deployment,replicaset,statefulset,daemonset}/strategy.go, core/replicationcontroller, batch/cronjob. */
export const workloadRules: Readonly<Record<string, ResourceRules>> = {
  'apps/deployments': {
    ...namedTemplateRules,
    newGeneration: specOrAnnotationsChanged,
    emptyStatus: {},
    prepareForUpdate: (deployment, old, subresource) =>
      ok(subresource === 'status' ? withMetadata(deployment, { labels: metadataOf(old).labels }) : deployment),
  },
  'apps/replicasets': { ...countedTemplateRules, ...namedTemplateRules, emptyStatus: { replicas: 0 } },
  'apps/statefulsets': {
    ...countedTemplateRules,
    name: labelName,
    warningsOnCreate: statefulSetWarnings,
    warningsOnUpdate: statefulSetUpdateWarnings,
    emptyStatus: { replicas: 0, availableReplicas: 0 },
  },
  'apps/daemonsets': {
    ...countedTemplateRules,
    emptyStatus: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
    prepareForCreate: (daemonSet) => ok(withTemplateGeneration(daemonSet, readTemplateGeneration(daemonSet) || 1)),
    prepareForUpdate: (daemonSet, old) =>
      ok(withTemplateGeneration(daemonSet, computeTemplateGeneration(daemonSet, old))),
  },
  'apps/controllerrevisions': {},
  '/replicationcontrollers': {
    ...countedTemplateRules,
    name: wholeSubdomain,
    warningsOnCreate: namedTemplateWarnings,
    warningsOnUpdate: controllerUpdateWarnings,
    emptyStatus: { replicas: 0 },
    defaultGarbageCollection: 'Orphan',
  },
  'batch/jobs': { ...jobRules, warningsOnCreate: jobWarnings, warningsOnUpdate: jobUpdateWarnings },
  'batch/cronjobs': {
    newGeneration: fieldsChanged('spec'),
    emptyStatus: {},
    warningsOnCreate: cronJobWarnings,
    warningsOnUpdate: cronJobUpdateWarnings,
  },
};

const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** Counted in an annotation since apps/v1. */
function withTemplateGeneration(daemonSet: KubernetesObject, generation: number): KubernetesObject {
  const { annotations } = metadataOf(daemonSet);
  const text = String(generation);
  if (annotations?.[templateGenerationAnnotation] === text) return daemonSet;
  return withMetadata(daemonSet, { annotations: withEntry(annotations, templateGenerationAnnotation, text) });
}

function computeTemplateGeneration(daemonSet: KubernetesObject, old: KubernetesObject): number {
  const current = readTemplateGeneration(old);
  return sameJson(readTemplate(daemonSet), readTemplate(old)) ? current : current + 1;
}

const readTemplateGeneration = (daemonSet: KubernetesObject): number =>
  Number(metadataOf(daemonSet).annotations?.[templateGenerationAnnotation] ?? 0);

const readTemplate = (object: KubernetesObject): JsonObject => asObject(asObject(object['spec'])['template']);
