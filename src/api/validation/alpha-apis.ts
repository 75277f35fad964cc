import {
  validateText,
  validateRequiredEnum,
  validateRequiredText,
  validateOptionalText,
  each,
  specOf,
  errorIf,
  type FieldErrors,
} from './field-rules.ts';
import { forbiddenField, invalidValue, notSupported, required, tooMany } from '../../machinery/meta/field-error.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../machinery/meta/names.ts';
import type { LeaseCandidate } from '../types/generated/coordination-v1beta1.ts';
import type { StorageVersionMigration } from '../types/generated/storagemigration-v1beta1.ts';
import type { DeviceTaintRule } from '../types/generated/resource-v1beta2.ts';
import type * as scheduling from '../types/generated/scheduling-v1beta1.ts';
import type { FormerPodGroupFields, FormerTemplateReference } from '../types/former-fields.ts';
import { immutableText, validateImmutableField } from './meta/object-meta.ts';

const validateImmutableSpec = <Spec extends JsonObject>(
  object: Spec,
  old: Spec,
  fields: readonly (keyof Spec & string)[],
): FieldErrors =>
  fields.flatMap((name) =>
    errorIf(!sameJson(object[name], old[name]), () => invalidValue(`spec.${name}`, null, immutableText)),
  );

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const isSemver = (text: string): boolean => semver.test(text);

/** Follows kubernetes pkg/apis/coordination/validation ValidateLeaseCandidateSpec. */
export function validateLeaseCandidate(candidate: LeaseCandidate): FieldErrors {
  const { leaseName, binaryVersion, emulationVersion, strategy } = specOf(candidate);
  const [binary, emulated, chosen] = [binaryVersion, emulationVersion, strategy].map((value) => asString(value));
  const notVersion = 'must be a valid semantic version';
  return [
    ...errorIf(asString(leaseName) === '', () => required('spec.leaseName', '')),
    ...errorIf(Boolean(emulated) && !isSemver(emulated ?? ''), () =>
      invalidValue('spec.emulationVersion', emulated ?? '', notVersion),
    ),
    ...errorIf(!binary, () => required('spec.binaryVersion', '')),
    ...errorIf(Boolean(binary) && !isSemver(binary ?? ''), () =>
      invalidValue('spec.binaryVersion', binary ?? '', notVersion),
    ),
    ...errorIf(!chosen, () => required('spec.strategy', '')),
    ...errorIf(chosen === oldest && !emulated, () =>
      required('spec.emulationVersion', `must be specified when \`strategy\` is '${oldest}'`),
    ),
    ...validateStrategy(chosen ?? ''),
  ];
}

const oldest = 'OldestEmulationVersion';

function validateStrategy(strategy: string): FieldErrors {
  if (strategy === '' || strategy === oldest) return [];
  if (!strategy.includes('/')) return [notSupported('spec.strategy.strategy', strategy, [oldest])];
  return validateText(qualifiedNameErrors, 'spec.strategy.strategy', strategy);
}

export const validateLeaseCandidateUpdate = (candidate: LeaseCandidate, old: LeaseCandidate): FieldErrors => [
  ...validateLeaseCandidate(candidate),
  ...validateImmutableField('spec.leaseName', specOf(candidate).leaseName, specOf(old).leaseName, ''),
];

/** Follows kubernetes pkg/apis/storagemigration/validation ValidateStorageVersionMigration. */
export function validateStorageVersionMigration(migration: StorageVersionMigration): FieldErrors {
  const { group, resource } = asObject(specOf(migration).resource);
  const [name, groupName] = [asString(resource), asString(group)];
  return [
    ...validateRequiredText(dns1035Label, 'spec.resource.resource', name, 'resource is required to be set'),
    ...validateOptionalText(dns1123Subdomain, 'spec.resource.group', groupName),
  ];
}

export const validateStorageVersionMigrationUpdate = (
  migration: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldErrors => [
  ...validateStorageVersionMigration(migration),
  ...validateImmutableField('spec', migration.spec, old.spec),
];

/** Follows kubernetes pkg/apis/resource/validation ValidateDeviceTaintRule. */
export function validateDeviceTaintRule(rule: DeviceTaintRule): FieldErrors {
  const { key, value, effect } = asObject(specOf(rule).taint);
  const effects = ['NoExecute', 'NoSchedule', 'None'];
  return [
    ...validateText(qualifiedNameErrors, 'spec.taint.key', asString(key)),
    ...validateOptionalText(labelValueErrors, 'spec.taint.value', value),
    ...validateRequiredEnum('spec.taint.effect', effect, effects),
  ];
}

/** With the features off. Follows the validation markers of k8s.io/api scheduling/v1beta1/types.go and, for 1.36, v1alpha2. */
export const validatePodGroup = (group: scheduling.PodGroup): FieldErrors =>
  validatePodGroupFields(specOf(group), 'spec');

export const validatePodGroupUpdate = (group: scheduling.PodGroup, old: scheduling.PodGroup): FieldErrors =>
  validateImmutableSpec<GroupFields>(specOf(group), specOf(old), [
    'podGroupTemplateRef',
    'workloadRef',
    'schedulingPolicy',
    'resourceClaims',
  ]);

type GroupFields = Omit<scheduling.PodGroupSpec, 'schedulingConstraints'> &
  Pick<scheduling.PodGroupTemplate, 'schedulingConstraints'> &
  FormerPodGroupFields;

function validatePodGroupFields(spec: GroupFields, path: string): FieldErrors {
  const { podGroupTemplateRef: reference, workloadRef } = spec;
  return [
    ...(reference ? validatePodGroupTemplateReference(reference, `${path}.podGroupTemplateRef`) : []),
    ...(workloadRef ? validateWorkloadReference(workloadRef, `${path}.workloadRef`) : []),
    ...validateSchedulingPolicy(asObject(spec.schedulingPolicy), `${path}.schedulingPolicy`),
    ...errorIf(isJsonObject(spec.schedulingConstraints), () => forbiddenField(`${path}.schedulingConstraints`, '')),
  ];
}

const validateWorkloadReference = (
  { workloadName, templateName }: scheduling.WorkloadReference,
  path: string,
): FieldErrors => [
  ...validateRequiredText(dns1123Subdomain, `${path}.workloadName`, workloadName),
  ...validateRequiredText(dns1123Label, `${path}.templateName`, templateName),
];

function validatePodGroupTemplateReference({ workload }: FormerTemplateReference, path: string): FieldErrors {
  if (!workload) return [invalidValue(path, '', 'must specify one of: workload')];
  const { workloadName, podGroupTemplateName } = workload;
  return [
    ...validateRequiredText(dns1123Subdomain, `${path}.workload.workloadName`, workloadName),
    ...validateRequiredText(dns1123Label, `${path}.workload.podGroupTemplateName`, podGroupTemplateName),
  ];
}

function validateSchedulingPolicy({ basic, gang }: scheduling.PodGroupSchedulingPolicy, path: string): FieldErrors {
  if (isJsonObject(basic) && isJsonObject(gang)) {
    return [invalidValue(path, '{basic, gang}', 'must specify exactly one of: `basic`, `gang`')];
  }
  if (!isJsonObject(gang)) {
    return errorIf(!isJsonObject(basic), () => invalidValue(path, '', 'must specify one of: `basic`, `gang`'));
  }
  const min: JsonValue = gang.minCount ?? 0;
  if (min === 0) return [required(`${path}.gang.minCount`, '')];
  return errorIf(Number(min) < 1, () =>
    invalidValue(`${path}.gang.minCount`, min, 'must be greater than or equal to 1'),
  );
}

/** Follows the validation markers of k8s.io/api scheduling/v1beta1/types.go and, for 1.36, v1alpha2. */
export function validateWorkload(workload: scheduling.Workload): FieldErrors {
  const { podGroupTemplates } = specOf(workload);
  const field = 'spec.podGroupTemplates';
  const templates = asList(podGroupTemplates);
  if (templates.length === 0) return [required(field, '')];
  if (templates.length > 8) return [tooMany(field, templates.length, 8)];
  return each(podGroupTemplates, field, (template, path) => [
    ...validateRequiredText(dns1123Label, `${path}.name`, template.name),
    ...validatePodGroupFields(template, path),
  ]);
}

export const validateWorkloadUpdate = (workload: scheduling.Workload, old: scheduling.Workload): FieldErrors =>
  validateImmutableSpec(specOf(workload), specOf(old), ['podGroupTemplates']);
