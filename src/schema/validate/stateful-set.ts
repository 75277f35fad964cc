import { forbiddenField, invalidValue, required } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asList, asObject, asString, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { nonNegative, oneOf, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { validateLabelSelector } from './labels.ts';
import { validateSelectedTemplate } from './pod-template.ts';

/** Follows kubernetes pkg/apis/apps/validation ValidateStatefulSetSpec. */
export function validateStatefulSet(statefulSet: KubernetesObject): Complaints {
  const spec = asObject(statefulSet['spec']);
  const strategy = asObject(spec['updateStrategy']);
  const { selector } = spec;
  const isEmpty =
    Object.keys(asObject(asObject(selector)['matchLabels'])).length === 0 &&
    asList(asObject(selector)['matchExpressions']).length === 0;
  return [
    ...oneOf('spec.podManagementPolicy', spec['podManagementPolicy'], ['OrderedReady', 'Parallel']),
    ...oneOf('spec.updateStrategy', strategy['type'], ['OnDelete', 'RollingUpdate']),
    ...when(strategy['type'] === 'OnDelete' && strategy['rollingUpdate'] !== undefined, () =>
      invalidValue(
        'spec.updateStrategy.rollingUpdate',
        strategy['rollingUpdate'] ?? {},
        "only allowed for updateStrategy 'RollingUpdate'",
      ),
    ),
    ...nonNegative('spec.updateStrategy.rollingUpdate.partition', asObject(strategy['rollingUpdate'])['partition']),
    ...nonNegative('spec.replicas', spec['replicas']),
    ...nonNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...(selector === undefined || selector === null
      ? [required('spec.selector', '')]
      : [
          ...validateLabelSelector(selector, 'spec.selector'),
          ...when(isEmpty, () => invalidValue('spec.selector', selector, 'empty selector is invalid for statefulset')),
        ]),
    ...validateSelectedTemplate(withClaimVolumes(spec), selector, 'StatefulSet'),
  ];
}

/** The template with the volumes that claims will be, and without what every Pod gets of its own. */
function withClaimVolumes(spec: JsonObject): JsonObject {
  const claims = asList(spec['volumeClaimTemplates']).map((claim): JsonObject => {
    const name = asString(valueAt(claim, 'metadata', 'name'));
    return { name, persistentVolumeClaim: { claimName: name } };
  });
  const template = asObject(spec['template']);
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = asObject(template['spec']);
  const names = new Set(claims.map(({ name }) => name));
  const others = asList(podSpec['volumes']).filter((volume) => !names.has(asObject(volume)['name'] ?? ''));
  const volumes = [...claims, ...others];
  return {
    ...spec,
    template: { ...template, spec: { ...podSpec, ...(volumes.length === 0 ? {} : { volumes }) } },
  };
}

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** Follows kubernetes pkg/apis/apps/validation ValidateStatefulSetUpdate. */
export function validateStatefulSetUpdate(
  statefulSet: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): Complaints {
  if (subresource === 'status') return statusErrors(asObject(statefulSet['status']), asObject(old['status']));
  const errors = validateStatefulSet(statefulSet);
  const fixed = (object: KubernetesObject): JsonObject =>
    Object.fromEntries(Object.entries(asObject(object['spec'])).filter(([field]) => !mutableFields.includes(field)));
  const names =
    "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'";
  return [
    ...errors,
    ...errors,
    ...when(!sameJson(fixed(statefulSet), fixed(old)), () =>
      forbiddenField('spec', `updates to statefulset spec for fields other than ${names} are forbidden`),
    ),
  ];
}

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
] as const;

/** Counts that are possible. Follows ValidateStatefulSetStatusUpdate there. */
function statusErrors(status: JsonObject, old: JsonObject): Complaints {
  const count = (field: string): number => Number(status[field] ?? 0);
  const exceeds = (field: string, limit: string): Complaints =>
    when(count(field) > count(limit), () =>
      invalidValue(`status.${field}`, count(field), `cannot be greater than status.${limit}`),
    );
  return [
    ...counts.flatMap((field) => nonNegative(`status.${field}`, status[field])),
    ...counts.slice(1, 5).flatMap((field) => exceeds(field, 'replicas')),
    ...exceeds('availableReplicas', 'readyReplicas'),
    ...when(count('collisionCount') < Number(old['collisionCount'] ?? 0), () =>
      invalidValue('status.collisionCount', count('collisionCount'), 'cannot be decremented'),
    ),
  ];
}
