import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { mapFields, type StringMap } from '../../../machinery/meta/object.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { readLabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type { PodTemplateSpec } from '../../types/generated/core-v1.ts';
import type { LabelSelector } from '../../types/generated/meta-v1.ts';
import { errorIf, validateEnum, type FieldErrors } from '../field-rules.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateAnnotations } from '../meta/object-meta.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validatePodSpecificAnnotations } from './pod.ts';

/** Follows kubernetes pkg/apis/core/validation ValidatePodTemplateSpec. */
export function validatePodTemplateSpec(template: PodTemplateSpec, path: string): FieldErrors {
  const spec = asObject(template.spec);
  return [
    ...validateTemplateMetadata(template, path),
    ...validatePodSpec(spec, `${path}.spec`, false),
    ...errorIf(asList(spec.ephemeralContainers).length > 0, () =>
      forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    ),
  ];
}

function validateTemplateMetadata(template: PodTemplateSpec, path: string): FieldErrors {
  const metadata = asObject(template.metadata);
  const annotations = metadata.annotations === undefined ? undefined : toStringMap(metadata.annotations);
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...validatePodSpecificAnnotations(annotations, asObject(template.spec), `${path}.annotations`),
  ];
}

const toStringMap = (map: StringMap | undefined): StringMap =>
  mapFields(Object.keys(asObject(map)), (key) => asString(asObject(map)[key]));

/** The template of a workload: matched by its selector, restarted always. */
export function validateSelectedTemplate(
  spec: { readonly template?: PodTemplateSpec | null },
  selector: LabelSelector | null | undefined,
  owner: string,
  readsMetadataTwice = false,
): FieldErrors {
  const path = 'spec.template';
  const template = asObject(spec.template);
  return [
    ...validateSelectorMatchesTemplate(template, selector, `${path}.metadata.labels`),
    ...validatePodTemplateSpec(template, path),
    ...(readsMetadataTwice ? validateTemplateMetadata(template, path) : []),
    ...validateAlwaysRestarted(template, owner),
  ];
}

export function validateAlwaysRestarted(template: PodTemplateSpec | null | undefined, owner: string): FieldErrors {
  const path = 'spec.template';
  const podSpec = asObject(asObject(template).spec);
  const restartPolicy = asString(podSpec.restartPolicy);
  return [
    ...validateEnum(`${path}.spec.restartPolicy`, restartPolicy, ['Always']),
    ...errorIf(podSpec.activeDeadlineSeconds !== undefined, () =>
      forbiddenField(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`),
    ),
  ];
}

/** Empty and invalid selectors are reported elsewhere. */
export function validateSelectorMatchesTemplate(
  template: PodTemplateSpec,
  selector: LabelSelector | null | undefined,
  field: string,
): FieldErrors {
  const reading = readLabelSelector(selector);
  if (reading.outcome !== 'selector' || reading.selector.isEmpty || selector === undefined) return [];
  const { labels } = asObject(template.metadata);
  return errorIf(!reading.selector.matches(toStringMap(labels)), () =>
    invalidValue(field, labels ?? null, '`selector` does not match template `labels`'),
  );
}
