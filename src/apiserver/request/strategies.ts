import {
  compileMatchConditions,
  configurationWarnings,
  reservedNameErrors,
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
} from '../admission/validation/validate-webhook-configuration.ts';
import { validatePolicyBinding } from '../admission/validation/validate-binding.ts';
import { conditionCompiler } from '../admission/validation/validate-match-conditions.ts';
import { validateMutatingPolicy } from '../admission/validation/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../admission/validation/validate-validating-policy.ts';
import type { Expressions } from '../admission/matching/expressions.ts';
import { type FieldError, invalidValue } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { EstablishPorts } from '../custom-resources/accept-names.ts';
import { definitionResource } from '../custom-resources/definition.ts';
import { definitionStrategy } from '../custom-resources/definition-strategy.ts';
import type { CrdEngine } from '../custom-resources/engine.ts';
import type { CertificateSigningRequest } from '../../api/types/generated/certificates-v1.ts';
import type { ValidateSelector } from '../../api/validation/resource/device-claims.ts';
import { rejectPrivileged } from '../../api/strategy/app-armor.ts';
import { type StrategyFor, withValidation } from '../../api/strategy/strategy-for.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import { validateCelSelector } from '../admission/validation/policy-expressions.ts';

type Compile = Expressions['compile'];

const group = 'admissionregistration.k8s.io';
const devices = 'resource.k8s.io';
const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };

export interface StrategyOptions extends Pick<EstablishPorts, 'caBundleError'> {
  readonly release: number;
  readonly allowPrivileged: boolean;
  /** Names with `.static.k8s.io` are reserved for manifest files. */
  readonly reservesStaticNames: boolean;
  /** Verifies the signature of a CSR, PEM in base64; absent: not checked. */
  readonly signatureFault?: ((request: string) => string | undefined) | undefined;
}

/** The strategies of built-in resources, with the rules of admission configuration and definitions. */
export function createRequestStrategies(
  strategyFor: StrategyFor,
  { compile, compileSelector }: Pick<Expressions, 'compile' | 'compileSelector'>,
  engine: () => CrdEngine,
  { allowPrivileged, reservesStaticNames, caBundleError, release, signatureFault }: StrategyOptions,
): StrategyFor {
  const definitions = definitionStrategy(strategyFor(definitionResource), engine, { caBundleError, release });
  const ownStrategy = (resource: string): Strategy => strategyFor({ group, resource });
  const strategies: ReadonlyMap<string, Strategy> = new Map([
    ['mutatingwebhookconfigurations', configurationStrategy(ownStrategy('mutatingwebhookconfigurations'), compile)],
    ['validatingwebhookconfigurations', configurationStrategy(ownStrategy('validatingwebhookconfigurations'), compile)],
    [
      'validatingadmissionpolicies',
      policyStrategy(ownStrategy('validatingadmissionpolicies'), compile, validateValidatingPolicy),
    ],
    [
      'mutatingadmissionpolicies',
      policyStrategy(ownStrategy('mutatingadmissionpolicies'), compile, validateMutatingPolicy),
    ],
    ['validatingadmissionpolicybindings', bindingStrategy(ownStrategy('validatingadmissionpolicybindings'))],
    ['mutatingadmissionpolicybindings', bindingStrategy(ownStrategy('mutatingadmissionpolicybindings'))],
  ]);
  const selecting = new Map(
    ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates'].map((resource) => [
      resource,
      withSelectors(strategyFor({ group: devices, resource }), compileSelector),
    ]),
  );
  const signed = signatureFault && withSignatures(strategyFor(requests), signatureFault);
  return (resource) => {
    if (resource.group === definitionResource.group) return definitions;
    if (signed && resource.group === requests.group && resource.resource === requests.resource) return signed;
    if (resource.group === devices) return selecting.get(resource.resource) ?? strategyFor(resource);
    const own = resource.group === group ? strategies.get(resource.resource) : undefined;
    const strategy = own ? withStaticNames(own, reservesStaticNames) : strategyFor(resource);
    return allowPrivileged ? strategy : rejectPrivileged(resource, strategy);
  };
}

type Validate = (object: KubernetesObject, compile: Compile, old?: KubernetesObject) => readonly FieldError[];

function configurationStrategy(generic: Strategy, compile: Compile): Strategy {
  const compileCondition = conditionCompiler(compile);
  const strategy = withValidation(
    generic,
    (object) => validateWebhookConfiguration(object, compileCondition),
    (object, old) => validateWebhookConfigurationUpdate(object, old, compileCondition),
  );
  return {
    ...strategy,
    compileExpressions: (object, old, yieldIfLong) =>
      compileMatchConditions(object, old, compileCondition, yieldIfLong),
  };
}

function policyStrategy(generic: Strategy, compile: Compile, validate: Validate): Strategy {
  return withValidation(
    generic,
    (object) => validate(object, compile),
    (object, old) => validate(object, compile, old),
  );
}

/** Follows kubernetes pkg/apis/certificates/validation validateCSR. */
function withSignatures(strategy: Strategy, faultOf: (request: string) => string | undefined): Strategy {
  const validate = ({ spec }: CertificateSigningRequest): readonly FieldError[] => {
    const request = spec?.request ?? '';
    const fault = faultOf(request);
    return fault === undefined ? [] : [invalidValue('spec.request', request, fault)];
  };
  return withValidation(strategy, validate, validate);
}

/** Compiles device selectors during validation. */
function withSelectors(strategy: Strategy, compile: Expressions['compileSelector']): Strategy {
  const faults: ValidateSelector = (expression, path, stored) =>
    validateCelSelector(expression, path, compile(expression, stored));
  return {
    ...strategy,
    validate: (object) => strategy.validate(object, faults),
    validateUpdate: (object, old, subresource) => strategy.validateUpdate(object, old, subresource, faults),
  };
}

function bindingStrategy(generic: Strategy): Strategy {
  const validate = (object: KubernetesObject): readonly FieldError[] => validatePolicyBinding(object);
  return withValidation(generic, validate, validate);
}

/** New objects may not have reserved names; existing ones keep them with a warning (rules CFG-65, CFG-66). */
const withStaticNames = (strategy: Strategy, areReserved: boolean): Strategy => ({
  ...strategy,
  validate: (object) => [...strategy.validate(object), ...(areReserved ? reservedNameErrors(object) : [])],
  warningsOnCreate: (object) => [
    ...(areReserved ? [] : configurationWarnings(object)),
    ...strategy.warningsOnCreate(object),
  ],
  warningsOnUpdate: (object, ...rest) => [
    ...configurationWarnings(object),
    ...strategy.warningsOnUpdate(object, ...rest),
  ],
});
