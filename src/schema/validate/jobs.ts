import { invalidValue, notSupported, required, tooLong } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { dns1123Subdomain } from '../../apimachinery/names.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { internalForm } from '../types/internal-form.ts';
import { failurePolicyErrors } from './pod-failure-policy.ts';
import { nonNegative, oneOf, oneOfIfSet, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { validateLabelSelector } from './labels.ts';
import { subdomainName } from './name-rule.ts';
import { immutableText, validateKindMeta } from './object-meta.ts';
import { selectorMismatch, validatePodTemplate } from './pod-template.ts';

/** Follows kubernetes pkg/apis/batch/validation ValidateJob. */
export function validateJob(job: KubernetesObject): Complaints {
  const spec = asObject(job['spec']);
  return [
    ...generatedSelectorErrors(job, spec),
    ...jobSpecErrors(spec, 'spec'),
    ...(spec['selector'] === undefined
      ? [required('spec.selector', '')]
      : validateLabelSelector(spec['selector'], 'spec.selector')),
    ...selectorMismatch(asObject(spec['template']), spec['selector'], 'spec.template.metadata.labels'),
  ];
}

/** Labels that the server generates may not say something else. */
function generatedSelectorErrors(job: KubernetesObject, spec: JsonObject): Complaints {
  if (spec['manualSelector'] === true) return [];
  const { name = '', uid = '' } = metadataOf(job);
  const labels = asObject(asObject(asObject(spec['template'])['metadata'])['labels']);
  const wanted = { 'controller-uid': uid, 'job-name': name };
  return ['', 'batch.kubernetes.io/'].flatMap((prefix) =>
    Object.entries(wanted).flatMap(([label, value]): Complaints => {
      const field = `spec.template.metadata.labels[${prefix}${label}]`;
      const found = labels[`${prefix}${label}`];
      if (found === value) return [];
      return [
        found === undefined ? required(field, `must be '${value}'`) : invalidValue(field, found, `must be '${value}'`),
      ];
    }),
  );
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** Who manages the job, if not the controller of jobs. */
function managerErrors({ managedBy, maxFailedIndexes, backoffLimitPerIndex }: JsonObject, path: string): Complaints {
  const name = asString(managedBy);
  const [domain = '', ...rest] = name.split('/');
  const isPath = rest.join('/') !== '' && dns1123Subdomain(domain).length === 0;
  const lonely = maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined;
  return [
    ...when(lonely, () => required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')),
    ...when(managedBy !== undefined && !isPath, () =>
      invalidValue(`${path}.managedBy`, name, 'must be a domain-prefixed path (such as "acme.io/foo")'),
    ),
    ...when(name.length > 63, () => tooLong(`${path}.managedBy`, 63)),
  ];
}

/** What only makes sense where pods have an index. */
function indexErrors(spec: JsonObject, path: string): Complaints {
  if ((spec['completionMode'] ?? 'NonIndexed') !== 'NonIndexed') return [];
  return (['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'] as const).flatMap((field) =>
    when(spec[field] !== undefined, () => {
      const value = field === 'successPolicy' ? internalForm('batch.SuccessPolicy', spec[field]) : (spec[field] ?? 0);
      return invalidValue(`${path}.${field}`, value, 'requires indexed completion mode');
    }),
  );
}

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JsonObject, path: string): Complaints {
  const options = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return oneOfIfSet(path, policy, options);
}

/** Follows kubernetes pkg/apis/batch/validation validateJobSpec. */
function jobSpecErrors(spec: JsonObject, path: string): Complaints {
  const { completionMode, completions, parallelism = 0 } = spec;
  return [
    ...counts.flatMap((field) => nonNegative(`${path}.${field}`, spec[field])),
    ...(completionMode === undefined ? [] : oneOf(`${path}.completionMode`, completionMode, ['Indexed', 'NonIndexed'])),
    ...when(completionMode === 'Indexed' && completions === undefined, () =>
      required(`${path}.completions`, 'when completion mode is Indexed'),
    ),
    ...when(completionMode === 'Indexed' && Number(parallelism) > 100000, () =>
      invalidValue(
        `${path}.parallelism`,
        parallelism,
        'must be less than or equal to 100000 when completion mode is Indexed',
      ),
    ),
    ...managerErrors(spec, path),
    ...indexErrors(spec, path),
    ...(spec['podFailurePolicy'] === undefined ? [] : failurePolicyErrors(spec, `${path}.podFailurePolicy`)),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplate(asObject(spec['template']), `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function restartErrors(spec: JsonObject, field: string): Complaints {
  const policy = asString(asObject(asObject(spec['template'])['spec'])['restartPolicy']);
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])];
  return when(spec['podFailurePolicy'] !== undefined && policy !== 'Never', () =>
    invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified'),
  );
}

/** Most of a job is for good; a suspended one that never ran may still be scheduled elsewhere. Follows kubernetes pkg/apis/batch/validation ValidateJobSpecUpdate. */
export function validateJobUpdate(job: KubernetesObject, old: KubernetesObject, subresource: string): Complaints {
  if (subresource === 'status') return [];
  const [spec, oldSpec] = [asObject(job['spec']), asObject(old['spec'])];
  const isIndexed = spec['completionMode'] === 'Indexed';
  const elastic = isIndexed && spec['completions'] === spec['parallelism'];
  const isSuspended = oldSpec['suspend'] === true && asObject(old['status'])['startTime'] === undefined;
  const same = (field: string, type?: string): Complaints =>
    when(!sameJson(spec[field], oldSpec[field]), () => {
      const value = type === undefined ? (spec[field] ?? null) : internalForm(type, spec[field]);
      return invalidValue(`spec.${field}`, value, immutableText);
    });
  return [
    ...validateKindMeta(metadataOf(job), true, subdomainName),
    ...validateJob(job),
    ...jobSpecErrors(spec, 'spec'),
    ...(elastic ? [] : same('completions')),
    ...same('selector'),
    ...(isSuspended && onlySchedulingChanged(spec['template'], oldSpec['template'])
      ? []
      : same('template', 'core.PodTemplateSpec')),
    ...same('completionMode'),
    ...same('podFailurePolicy', '*batch.PodFailurePolicy'),
    ...same('backoffLimitPerIndex'),
    ...same('managedBy'),
  ];
}

const schedulingFields = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];

function onlySchedulingChanged(template: JsonValue | undefined, old: JsonValue | undefined): boolean {
  const fixed = (value: JsonValue | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(asObject(asObject(value)['spec'])).filter(([field]) => !schedulingFields.includes(field)),
    );
  return sameJson(fixed(template), fixed(old));
}

/** Follows kubernetes pkg/apis/batch/validation ValidateCronJobCreate. */
export function validateCronJob(cronJob: KubernetesObject): Complaints {
  const name = metadataOf(cronJob).name ?? '';
  const text = 'must be no more than 52 characters';
  return [
    ...cronJobSpecErrors(asObject(cronJob['spec'])),
    ...when(name.length > 52, () => invalidValue('metadata.name', name, text)),
  ];
}

export const validateCronJobUpdate = (
  cronJob: KubernetesObject,
  _old: KubernetesObject,
  subresource: string,
): Complaints => (subresource === 'status' ? [] : cronJobSpecErrors(asObject(cronJob['spec'])));

function cronJobSpecErrors(spec: JsonObject): Complaints {
  const schedule = asString(spec['schedule']);
  const jobSpec = asObject(asObject(spec['jobTemplate'])['spec']);
  return [
    ...(schedule === '' ? [required('spec.schedule', '')] : scheduleErrors(schedule)),
    ...nonNegative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']),
    ...oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']),
    ...jobSpecErrors(jobSpec, 'spec.jobTemplate.spec'),
    ...when(jobSpec['manualSelector'] === true, () =>
      notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']),
    ),
    ...when(jobSpec['selector'] !== undefined, () =>
      invalidValue('spec.jobTemplate.spec.selector', jobSpec['selector'] ?? null, '`selector` will be auto-generated'),
    ),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit']),
    ...nonNegative('spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit']),
  ];
}

/** Texts of the cron parser that upstream uses, for the faults people make. */
function scheduleErrors(schedule: string): Complaints {
  const field = 'spec.schedule';
  if (schedule.includes('TZ')) {
    return [invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  }
  if (schedule.startsWith('@')) {
    const known = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/.test(schedule);
    return when(!known, () => invalidValue(field, schedule, `unrecognized descriptor: ${schedule}`));
  }
  const found = schedule.trim().split(/\s+/);
  return when(found.length !== 5, () =>
    invalidValue(field, schedule, `expected exactly 5 fields, found ${found.length}: [${found.join(' ')}]`),
  );
}
