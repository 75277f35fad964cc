import type { CompileCondition } from '../admission/configuration/validate-match-conditions.ts';
import { configurationWarnings } from '../admission/configuration/configuration-warnings.ts';
import {
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
} from '../admission/configuration/validate-webhook-configuration.ts';
import type { GroupResource } from '../apimachinery/gvk.ts';
import { strategyFor, withValidation } from '../schema/strategy/strategy-for.ts';
import type { Strategy } from '../schema/strategy.ts';

const group = 'admissionregistration.k8s.io';
const webhookConfigurations = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

/**
 * The strategy of every resource; the rules of the webhook configurations are added from admission/. Without `compile`
 * no matchCondition is accepted.
 */
export function createStrategies(compile?: CompileCondition): (resource: GroupResource) => Strategy {
  const configurations = new Map(
    webhookConfigurations.map((resource) => [resource, configurationStrategy(resource, compile)]),
  );
  return (resource) =>
    (resource.group === group ? configurations.get(resource.resource) : undefined) ?? strategyFor(resource);
}

function configurationStrategy(resource: string, compile: CompileCondition | undefined): Strategy {
  const strategy = withValidation(
    strategyFor({ group, resource }),
    (object) => validateWebhookConfiguration(object, compile),
    (object, oldObject) => validateWebhookConfigurationUpdate(object, oldObject, compile),
  );
  return { ...strategy, warningsOnCreate: configurationWarnings, warningsOnUpdate: configurationWarnings };
}
