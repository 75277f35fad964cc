import { configurationWarnings } from '../admission/configuration/configuration-warnings.ts';
import { validatePolicyBinding } from '../admission/configuration/validate-binding.ts';
import { conditionCompiler } from '../admission/configuration/validate-match-conditions.ts';
import type { CompileCondition } from '../admission/configuration/validate-match-conditions.ts';
import { validateMutatingPolicy } from '../admission/configuration/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../admission/configuration/validate-validating-policy.ts';
import {
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
} from '../admission/configuration/validate-webhook-configuration.ts';
import type { Expressions } from '../admission/matching/expressions.ts';
import type { FieldError } from '../apimachinery/field-error.ts';
import type { GroupResource } from '../apimachinery/gvk.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { definitionResource } from '../custom/definition.ts';
import { definitionStrategy } from '../custom/definition-strategy.ts';
import type { CrdEngine } from '../custom/engine.ts';
import { strategyFor, withValidation } from '../schema/strategy/strategy-for.ts';
import type { Strategy } from '../schema/strategy/strategy.ts';

const group = 'admissionregistration.k8s.io';

/** The strategy of every resource; the rules of configurations, policies and bindings come from admission/, those of definitions from custom/. */
export function createStrategies(
  { compile }: Pick<Expressions, 'compile'>,
  engine: () => CrdEngine,
): (resource: GroupResource) => Strategy {
  const definitions = definitionStrategy(engine);
  const compileCondition = conditionCompiler(compile);
  const strategies: ReadonlyMap<string, Strategy> = new Map([
    ['mutatingwebhookconfigurations', configurationStrategy('mutatingwebhookconfigurations', compileCondition)],
    ['validatingwebhookconfigurations', configurationStrategy('validatingwebhookconfigurations', compileCondition)],
    [
      'validatingadmissionpolicies',
      policyStrategy('validatingadmissionpolicies', (object) => validateValidatingPolicy(object, compile)),
    ],
    [
      'mutatingadmissionpolicies',
      policyStrategy('mutatingadmissionpolicies', (object) => validateMutatingPolicy(object, compile)),
    ],
    ['validatingadmissionpolicybindings', policyStrategy('validatingadmissionpolicybindings', validatePolicyBinding)],
    ['mutatingadmissionpolicybindings', policyStrategy('mutatingadmissionpolicybindings', validatePolicyBinding)],
  ]);
  return (resource) => {
    if (resource.group === definitionResource.group) return definitions;
    return (resource.group === group ? strategies.get(resource.resource) : undefined) ?? strategyFor(resource);
  };
}

function configurationStrategy(resource: string, compile: CompileCondition): Strategy {
  const strategy = withValidation(
    strategyFor({ group, resource }),
    (object) => validateWebhookConfiguration(object, compile),
    (object, oldObject) => validateWebhookConfigurationUpdate(object, oldObject, compile),
  );
  return { ...strategy, warningsOnCreate: configurationWarnings, warningsOnUpdate: configurationWarnings };
}

const policyStrategy = (resource: string, validate: (object: KubernetesObject) => readonly FieldError[]): Strategy =>
  withValidation(strategyFor({ group, resource }), validate, validate);
