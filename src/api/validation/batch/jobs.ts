import { validateOptionalEnum, validateNonNegative, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, notSupported, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { dns1123Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { Job, JobSpec } from '../../types/generated/batch-v1.ts';
import type { PodTemplateSpec } from '../../types/generated/core-v1.ts';
import { validateJobStatusUpdate } from './job-status.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies.ts';
import { newInvalidSelector, validateLabelSelector } from '../meta/labels.ts';
import { immutableText } from '../meta/object-meta.ts';
import { validateSelectorMatchesTemplate, validatePodTemplateSpec } from '../core/pod-template.ts';

/** Follows kubernetes pkg/apis/batch/validation ValidateJob. */
export function validateJob(job: Job): FieldErrors {
  const spec = asObject(job.spec);
  return [
    ...validateGeneratedLabels(job, spec),
    ...validateGeneratedSelector(job, spec),
    ...validateJobSpecWithSelector(spec),
    ...validateIndexedPodHostname(job),
  ];
}

/** Follows kubernetes pkg/apis/batch/validation ValidateJobSpec. */
const validateJobSpecWithSelector = (spec: JobSpec): FieldErrors => [
  ...validateJobSpec(spec, 'spec'),
  ...(spec.selector === undefined
    ? [required('spec.selector', '')]
    : validateLabelSelector(spec.selector, 'spec.selector')),
  ...validateTemplateLabels(spec),
];

/** A missing selector matches nothing. */
function validateTemplateLabels({ selector, template }: JobSpec): FieldErrors {
  const field = 'spec.template.metadata.labels';
  if (selector !== undefined) return validateSelectorMatchesTemplate(asObject(template), selector, field);
  const labels = asObject(asObject(template).metadata).labels ?? null;
  return [invalidValue(field, labels, '`selector` does not match template `labels`')];
}

/** The selector must match the generated labels alone. */
function validateGeneratedSelector(job: Job, { manualSelector, selector }: JobSpec): FieldErrors {
  if (manualSelector === true || selector === undefined) return [];
  const { name = '', uid = '' } = metadataOf(job);
  const reading = readLabelSelector(selector);
  const labels = ['', 'batch.kubernetes.io/'].flatMap((prefix) => [
    [`${prefix}controller-uid`, uid],
    [`${prefix}job-name`, name],
  ]);
  return errorIf(reading.outcome === 'selector' && !reading.selector.matches(Object.fromEntries(labels)), () =>
    newInvalidSelector('spec.selector', selector ?? {}, '`selector` not auto-generated'),
  );
}

/** Indexed pods are named after the job. */
function validateIndexedPodHostname(job: Job): FieldErrors {
  const { completionMode, completions = 0 } = asObject(job.spec);
  if (completionMode !== 'Indexed' || Number(completions) <= 0) return [];
  const name = metadataOf(job).name ?? '';
  const hostname = `${name}-${Number(completions) - 1}`;
  return errorIf(dns1123Label(hostname).length > 0, () =>
    invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`),
  );
}

/** Follows kubernetes pkg/apis/batch/validation validateGeneratedSelector. */
function validateGeneratedLabels(job: Job, spec: JobSpec): FieldErrors {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const { name = '', uid = '' } = metadataOf(job);
  const labels = asObject(asObject(asObject(spec.template).metadata).labels);
  const wanted = { 'controller-uid': uid, 'job-name': name };
  return ['', 'batch.kubernetes.io/'].flatMap((prefix) =>
    Object.entries(wanted).flatMap(([label, value]): FieldErrors => {
      const field = `spec.template.metadata.labels[${prefix}${label}]`;
      const found = labels[`${prefix}${label}`];
      if (found === value) return [];
      return [
        found === undefined ? required(field, `must be '${value}'`) : invalidValue(field, labels, `must be '${value}'`),
      ];
    }),
  );
}

const countFields = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

function validateManagedBy({ managedBy, maxFailedIndexes, backoffLimitPerIndex }: JobSpec, path: string): FieldErrors {
  const name = asString(managedBy);
  const [domain = '', ...rest] = name.split('/');
  const isPath = rest.join('/') !== '' && dns1123Subdomain(domain).length === 0;
  const isAlone = maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined;
  return [
    ...errorIf(isAlone, () => required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')),
    ...errorIf(managedBy !== undefined && !isPath, () =>
      invalidValue(`${path}.managedBy`, name, 'must be a domain-prefixed path (such as "acme.io/foo")'),
    ),
    ...errorIf(name.length > 63, () => tooLong(`${path}.managedBy`, 63)),
  ];
}

function validateIndexedOnlyFields(spec: JobSpec, path: string): FieldErrors {
  if ((spec.completionMode ?? 'NonIndexed') !== 'NonIndexed') return [];
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((field) =>
    errorIf(spec[field] !== undefined, () =>
      invalidValue(`${path}.${field}`, spec[field] ?? 0, 'requires indexed completion mode'),
    ),
  );
}

function validateSuccessPolicyOfJob(spec: JobSpec, path: string): FieldErrors {
  if (spec.successPolicy === undefined) return [];
  if (spec.completionMode === 'Indexed') return validateSuccessPolicy(spec, path);
  const value = toInternalForm('batch.SuccessPolicy', spec.successPolicy);
  return [invalidValue(path, value, 'requires indexed completion mode')];
}

const [manyIndexes, fewPods, fewFailures, maxFailures] = [100_000, 10_000, 10_000, 100_000];

/** Failed indexes are recorded individually. */
function validateIndexedLimits(spec: JobSpec, path: string): FieldErrors {
  if (spec.completionMode !== 'Indexed') return [];
  const { completions, parallelism = 0, backoffLimitPerIndex: perIndex, maxFailedIndexes: max } = spec;
  const isMany = Number(completions ?? 0) > manyIndexes && perIndex !== undefined;
  const above = `when completions are above ${manyIndexes} and used with backoff limit per index`;
  const failuresAt = `${path}.maxFailedIndexes`;
  const [failures, pods] = [Number(max ?? 0), Number(parallelism)];
  return [
    ...errorIf(completions !== undefined && failures > Number(completions), () =>
      invalidValue(failuresAt, failures, 'must be less than or equal to completions'),
    ),
    ...errorIf(failures > maxFailures, () =>
      invalidValue(failuresAt, failures, `must be less than or equal to ${maxFailures}`),
    ),
    ...errorIf(isMany && max === undefined, () =>
      required(failuresAt, `must be specified when completions is above ${manyIndexes}`),
    ),
    ...errorIf(isMany && pods > fewPods, () =>
      invalidValue(`${path}.parallelism`, pods, `must be less than or equal to ${fewPods} ${above}`),
    ),
    ...errorIf(isMany && failures > fewFailures, () =>
      invalidValue(failuresAt, failures, `must be less than or equal to ${fewFailures} ${above}`),
    ),
  ];
}

function validatePodReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  path: string,
): FieldErrors {
  const options = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return validateOptionalEnum(path, policy, options);
}

/** Follows kubernetes pkg/apis/batch/validation validateJobSpec. */
export function validateJobSpec(spec: JobSpec, path: string): FieldErrors {
  const { completionMode, completions, parallelism = 0 } = spec;
  return [
    ...countFields.flatMap((field) => validateNonNegative(`${path}.${field}`, spec[field])),
    ...validateManagedBy(spec, path),
    ...validateOptionalEnum(`${path}.completionMode`, completionMode, ['NonIndexed', 'Indexed']),
    ...errorIf(completionMode === 'Indexed' && completions === undefined, () =>
      required(`${path}.completions`, 'when completion mode is Indexed'),
    ),
    ...errorIf(completionMode === 'Indexed' && Number(parallelism) > 100000, () =>
      invalidValue(
        `${path}.parallelism`,
        parallelism,
        'must be less than or equal to 100000 when completion mode is Indexed',
      ),
    ),
    ...validateIndexedLimits(spec, path),
    ...validateIndexedOnlyFields(spec, path),
    ...(spec.podFailurePolicy === undefined ? [] : validatePodFailurePolicy(spec, `${path}.podFailurePolicy`)),
    ...validateSuccessPolicyOfJob(spec, `${path}.successPolicy`),
    ...validatePodReplacementPolicy(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplateSpec(asObject(spec.template), `${path}.template`),
    ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function validateRestartPolicy(spec: JobSpec, field: string): FieldErrors {
  const policy = asString(asObject(asObject(spec.template).spec).restartPolicy);
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(field, policy, ['OnFailure', 'Never'])];
  return errorIf(spec.podFailurePolicy !== undefined && policy !== 'Never', () =>
    invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified'),
  );
}

/**
 * A suspended job that never ran may change scheduling fields. Follows kubernetes pkg/apis/batch/validation
 * ValidateJobSpecUpdate.
 */
export function validateJobUpdate(job: Job, old: Job, subresource: string): FieldErrors {
  if (subresource === 'status') return validateJobStatusUpdate(job, old);
  const [spec, oldSpec] = [asObject(job.spec), asObject(old.spec)];
  const isIndexed = spec.completionMode === 'Indexed';
  const elastic = isIndexed && spec.completions === spec.parallelism;
  const isSuspended = oldSpec.suspend === true && asObject(old.status).startTime === undefined;
  const same = (field: keyof JobSpec, type?: string): FieldErrors =>
    errorIf(!sameJson(spec[field], oldSpec[field]), () => {
      const value = type === undefined ? (spec[field] ?? null) : toInternalForm(type, spec[field]);
      return invalidValue(`spec.${field}`, value, immutableText);
    });
  return [
    ...validateJobSpecWithSelector(spec),
    ...(elastic ? [] : same('completions')),
    ...same('selector'),
    ...(isSuspended && hasOnlySchedulingChanged(spec.template, oldSpec.template)
      ? []
      : same('template', 'core.PodTemplateSpec')),
    ...same('completionMode'),
    ...same('podFailurePolicy', '*batch.PodFailurePolicy'),
    ...same('backoffLimitPerIndex'),
    ...same('managedBy'),
  ];
}

const schedulingFields = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'];

function hasOnlySchedulingChanged(template: PodTemplateSpec | undefined, old: PodTemplateSpec | undefined): boolean {
  const fixed = (value: PodTemplateSpec | undefined): JsonObject =>
    Object.fromEntries(
      Object.entries(asObject(asObject(value).spec)).filter(([field]) => !schedulingFields.includes(field)),
    );
  return sameJson(fixed(template), fixed(old));
}
