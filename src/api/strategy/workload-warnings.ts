import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { dns1123Label } from '../../machinery/meta/names.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { templateWarnings, warningsOfTemplate } from '../validation/core/pod-warnings.ts';
import { claimSpecWarnings } from './deprecation-warnings.ts';

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
export const cronJobWarnings: OnCreate = (cronJob) => [...nameWarnings(cronJob), ...jobOf(cronJob)];

export const cronJobUpdateWarnings: OnUpdate = (cronJob, old) => [
  ...(isSameGeneration(cronJob, old) ? [] : jobOf(cronJob)),
  ...(asString(asObject(cronJob['spec'])['schedule']).includes('TZ') ? [zoneInSchedule] : []),
];

const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

const jobOf = (cronJob: KubernetesObject): readonly string[] =>
  jobSpecWarnings(asObject(asObject(asObject(cronJob['spec'])['jobTemplate'])['spec']), 'spec.jobTemplate.spec');

/** Follows kubernetes pkg/api/job/warnings.go. */
function jobSpecWarnings(spec: JsonObject, path: string): readonly string[] {
  const [completions, parallelism] = [Number(spec['completions'] ?? 0), Number(spec['parallelism'] ?? 0)];
  const isVast = spec['completionMode'] === 'Indexed' && completions > 100_000 && parallelism > 10_000;
  return [
    ...(isVast ? [`${path}: ${vast}`] : []),
    ...warningsOfTemplate(asObject(spec['template']), `${path}.template.`),
  ];
}

const vast =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

/** Follows kubernetes pkg/registry/apps/statefulset/strategy.go; the update path has `.Spec`. */
export const statefulSetWarnings: OnCreate = (set) => [...templateWarnings(set), ...ofStatefulSet(set, '')];

export const statefulSetUpdateWarnings: OnUpdate = (set, old) => [
  ...(isSameGeneration(set, old) ? [] : templateWarnings(set)),
  ...ofStatefulSet(set, '.Spec'),
];

function ofStatefulSet(set: KubernetesObject, below: string): readonly string[] {
  const { volumeClaimTemplates, revisionHistoryLimit } = asObject(set['spec']);
  const claims = asList(volumeClaimTemplates).flatMap((claim, index) =>
    claimSpecWarnings(asObject(asObject(claim)['spec']), `spec.volumeClaimTemplates[${index}]${below}`),
  );
  return Number(revisionHistoryLimit ?? 0) < 0 ? [...claims, allRevisions] : claims;
}

const allRevisions =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** Follows kubernetes pkg/registry/core/podtemplate/strategy.go. */
export const podTemplateWarnings: OnCreate = (object) => warningsOfTemplate(asObject(object['template']), 'template.');

export const podTemplateUpdateWarnings: OnUpdate = (object, old) =>
  isSameGeneration(object, old) ? [] : podTemplateWarnings(object);

const isSameGeneration = (one: KubernetesObject, other: KubernetesObject): boolean =>
  metadataOf(one).generation === metadataOf(other).generation;
