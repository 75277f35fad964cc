import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { staticSuffix } from './manifest-plugins.ts';
import type * as v1 from '../../../../api/types/generated/admissionregistration-v1.ts';

/** Where a name was seen, by kind and name. */
export type SeenNames = Map<string, string>;

/**
 * What files may not say and the API may; undefined when nothing is wrong. The name is remembered.
 * Follows apiserver pkg/admission/plugin/manifest/validation.go and the loaders of webhooks and policies (rules STA-4 to STA-6).
 */
export const restrictionOf = (object: KubernetesObject, file: string, seen: SeenNames): string | undefined =>
  nameFault(object, file, seen) ?? contentFault(object, file);

function nameFault({ kind, metadata = {} }: KubernetesObject, file: string, seen: SeenNames): string | undefined {
  const { name = '' } = metadata;
  if (name === '') return `resource in file ${goQuote(file)} must have a name`;
  if (!name.endsWith(staticSuffix)) {
    return `${goQuote(name)} in file ${goQuote(file)} must have a name ending with ${goQuote(staticSuffix)}`;
  }
  const key = `${kind}/${name}`;
  const before = seen.get(key);
  if (before !== undefined) {
    return `duplicate name ${goQuote(name)} found in file ${goQuote(file)} (previously seen in ${goQuote(before)})`;
  }
  seen.set(key, file);
  return undefined;
}

function contentFault(object: KubernetesObject, file: string): string | undefined {
  if (object.kind.endsWith('WebhookConfiguration')) return clientFault(object, file);
  return object.kind.endsWith('Binding') ? bindingFault(object) : parameterFault(object);
}

/** Services are found through the API, and files are there before it. */
function clientFault(configuration: v1.ValidatingWebhookConfiguration, file: string): string | undefined {
  const name = nameOf(configuration);
  for (const webhook of asList(configuration.webhooks)) {
    const { service, url } = asObject(webhook.clientConfig);
    const place = `webhook ${goQuote(asString(webhook.name))} in ${goQuote(name)} (file ${goQuote(file)})`;
    if (service !== undefined) {
      return `${place}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    }
    if (asString(url) === '') return `${place}: clientConfig.url is required for static manifests`;
  }
  return undefined;
}

function parameterFault(policy: v1.ValidatingAdmissionPolicy): string | undefined {
  if (policy.spec?.paramKind === undefined) return undefined;
  return `${policy.kind} ${goQuote(nameOf(policy))}: spec.paramKind is not supported for static manifests`;
}

function bindingFault(binding: PolicyBinding): string | undefined {
  const { paramRef } = asObject(binding.spec);
  const [name, policy] = [goQuote(nameOf(binding)), policyOfBinding(binding)];
  if (policy === '') return `binding ${name} must reference a policy (spec.policyName)`;
  if (!policy.endsWith(staticSuffix)) {
    return `binding ${name}: spec.policyName ${goQuote(policy)} must end with ${goQuote(staticSuffix)}`;
  }
  return paramRef === undefined ? undefined : `binding ${name}: spec.paramRef is not supported for static manifests`;
}

/** A binding whose policy is not among the files. */
export function danglingBinding(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
): string | undefined {
  const names = new Set(policies.map(nameOf));
  const dangling = bindings.find((binding) => !names.has(policyOfBinding(binding)));
  if (!dangling) return undefined;
  const [name, policy] = [goQuote(nameOf(dangling)), goQuote(policyOfBinding(dangling))];
  return `binding ${name} references policy ${policy} which does not exist in the manifest directory`;
}

type PolicyBinding = v1.ValidatingAdmissionPolicyBinding;

const policyOfBinding = (binding: PolicyBinding): string => asString(binding.spec?.policyName);

const nameOf = (object: KubernetesObject): string => metadataOf(object).name ?? '';
