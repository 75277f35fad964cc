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
import { withoutPrivileged } from '../schema/strategy/privileged.ts';
import { strategyFor, withValidation } from '../schema/strategy/strategy-for.ts';
import type { Strategy } from '../schema/strategy/strategy.ts';

const group = 'admissionregistration.k8s.io';

/** The strategy of every resource; the rules of configurations, policies and bindings come from admission/, those of definitions from custom/. */
export function createStrategies(
  { compile }: Pick<Expressions, 'compile'>,
  engine: () => CrdEngine,
  allowPrivileged: boolean,
): (resource: GroupResource) => Strategy {
  const definitions = definitionStrategy(engine);
  const compileCondition = conditionCompiler(compile);
  const strategies: ReadonlyMap<string, Strategy> = new Map([
    ['mutatingwebhookconfigurations', configurationStrategy('mutatingwebhookconfigurations', compileCondition)],
    ['validatingwebhookconfigurations', configurationStrategy('validatingwebhookconfigurations', compileCondition)],
    [
      'validatingadmissionpolicies',
      policyStrategy('validatingadmissionpolicies', (object, old) => validateValidatingPolicy(object, compile, old)),
    ],
    [
      'mutatingadmissionpolicies',
      policyStrategy('mutatingadmissionpolicies', (object, old) => validateMutatingPolicy(object, compile, old)),
    ],
    [
      'validatingadmissionpolicybindings',
      policyStrategy('validatingadmissionpolicybindings', (object) => validatePolicyBinding(object)),
    ],
    [
      'mutatingadmissionpolicybindings',
      policyStrategy('mutatingadmissionpolicybindings', (object) => validatePolicyBinding(object)),
    ],
  ]);
  return (resource) => {
    if (resource.group === definitionResource.group) return definitions;
    const own = resource.group === group ? strategies.get(resource.resource) : undefined;
    const strategy = own ?? strategyFor(resource);
    return allowPrivileged ? strategy : withoutPrivileged(resource, strategy);
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

function policyStrategy(resource: string, validate: ValidatePolicy): Strategy {
  const strategy = withValidation(strategyFor({ group, resource }), (object) => validate(object), validate);
  return { ...strategy, warningsOnCreate: configurationWarnings, warningsOnUpdate: configurationWarnings };
}

/** `old` is the object that is replaced. */
type ValidatePolicy = (object: KubernetesObject, old?: KubernetesObject) => readonly FieldError[];
