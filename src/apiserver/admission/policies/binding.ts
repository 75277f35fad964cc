import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { readLabelSelector, type SelectorReading } from '../../../machinery/selectors/label-selector.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { type MatchResources, readMatchResources } from './match-resources.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  readonly match: MatchResources | undefined;
  readonly validationActions: readonly string[];
  readonly definition: JsonObject;
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: SelectorReading;
  readonly parameterNotFoundAction: string;
}

export function bindingOf(object: KubernetesObject): Binding {
  const stored: v1.ValidatingAdmissionPolicyBinding = object;
  const spec = asObject(stored.spec);
  const { paramRef, matchResources } = spec;
  return {
    name: metadataOf(object).name ?? '',
    policyName: asString(spec.policyName),
    paramRef: isJsonObject(paramRef) ? readParamRef(paramRef) : undefined,
    match: isJsonObject(matchResources) ? readMatchResources(matchResources) : undefined,
    validationActions: asList(spec.validationActions).map(asString),
    definition: spec,
  };
}

const readParamRef = ({ name, namespace, selector, parameterNotFoundAction }: v1.ParamRef): ParamRef => ({
  name: asString(name),
  namespace: asString(namespace),
  selector: readLabelSelector(selector),
  parameterNotFoundAction: asString(parameterNotFoundAction),
});
