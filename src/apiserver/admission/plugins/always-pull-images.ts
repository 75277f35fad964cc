import { containerLists } from '../../../api/validation/core/container-lists.ts';
import type { Container, Pod, PodSpec, Volume } from '../../../api/types/generated/core-v1.ts';
import { fieldErrorText, notSupported } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import { newForbidden, byRule, refuseBecauseOf } from '../chain/refusal.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, type ObjectRequest, pass, podResource } from './handled-resource.ts';

/**
 * Forces imagePullPolicy Always. Follows kubernetes plugin/pkg/admission/alwayspullimages/admission.go (rule PLG-27).
 */
export const alwaysPullImages: SyncPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(podResource, (request) => {
    if (!hasNewImages(request)) return pass(request);
    const { object } = request;
    return ok({ object: { ...object, spec: setPullPolicies(asObject(object.spec)) } });
  }),
  validate: forResource(podResource, (request) => {
    const faults = hasNewImages(request) ? faultsOf(asObject(request.object.spec)) : [];
    const [first, ...others] = faults.map((fault) => newForbidden(request, fault));
    if (first === undefined) return pass(request);
    const texts = [first, ...others].map(({ message }) => message);
    const refusal = others.length === 0 ? first : plainError(`[${texts.join(', ')}]`);
    return refuseBecauseOf(request, refusal, byRule('imagePullPolicy', 'Always'));
  }),
};

const imagesOf = (pod: Pod): readonly string[] =>
  containerLists.flatMap((field) => asList(asObject(pod.spec)[field]).map((one) => asString(asObject(one).image)));

/** Updates without a new image are unchanged. */
function hasNewImages({ operation, object, oldObject }: ObjectRequest<Pod>): boolean {
  if (operation !== 'UPDATE' || oldObject === null) return true;
  const old = new Set(imagesOf(oldObject));
  return imagesOf(object).some((image) => !old.has(image));
}

function setPullPolicies(spec: PodSpec): JsonObject {
  const containers = containerLists
    .filter((field) => spec[field] !== undefined)
    .map((field) => [field, asList(spec[field]).map((one) => setContainerPolicy(asObject(one)))] as const);
  const volumes = spec.volumes === undefined ? {} : { volumes: asList(spec.volumes).map(setVolumePolicy) };
  return { ...spec, ...Object.fromEntries(containers), ...volumes };
}

const setContainerPolicy = (container: Container): JsonObject => ({ ...container, imagePullPolicy: 'Always' });

function setVolumePolicy(volume: Volume): JsonObject {
  const { image, ...others } = asObject(volume);
  return image === undefined ? others : { ...others, image: { ...asObject(image), pullPolicy: 'Always' } };
}

const faultsOf = (spec: PodSpec): readonly string[] => [
  ...containerLists.flatMap((field) =>
    asList(spec[field]).flatMap((one, index) =>
      policyFault(asObject(one).imagePullPolicy, `spec.${field}[${index}].imagePullPolicy`),
    ),
  ),
  ...asList(spec.volumes).flatMap((volume, index) => {
    const image = asObject(volume).image;
    return image === undefined
      ? []
      : policyFault(asObject(image).pullPolicy, `spec.volumes[${index}].image.pullPolicy`);
  }),
];

const policyFault = (policy: JsonObject[string] | undefined, field: string): readonly string[] =>
  policy === 'Always' ? [] : [fieldErrorText(notSupported(field, asString(policy), ['Always']))];
