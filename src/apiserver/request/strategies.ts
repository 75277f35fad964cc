import { configurationWarnings, reservedNameErrors } from '../admission/validation/configuration-warnings.ts';
import { validatePolicyBinding } from '../admission/validation/validate-binding.ts';
import { conditionCompiler } from '../admission/validation/validate-match-conditions.ts';
import { validateMutatingPolicy } from '../admission/validation/validate-mutating-policy.ts';
import { validateValidatingPolicy } from '../admission/validation/validate-validating-policy.ts';
import {
  compileMatchConditions,
  validateWebhookConfiguration,
  validateWebhookConfigurationUpdate,
} from '../admission/validation/validate-webhook-configuration.ts';
import { selectorFaults } from '../admission/plugins/devices/selector-faults.ts';
import type { Expressions } from '../admission/matching/expressions.ts';
import { invalidValue } from '../../machinery/meta/field-error.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { EstablishPorts } from '../custom-resources/accept-names.ts';
import { definitionResource } from '../custom-resources/definition.ts';
import { definitionStrategy } from '../custom-resources/definition-strategy.ts';
import type { CrdEngine } from '../custom-resources/engine.ts';
import type { CertificateSigningRequest } from '../../api/types/generated/certificates-v1.ts';
import type { SelectorFaults } from '../../api/validation/resource/device-claims.ts';
import { withoutPrivileged } from '../../api/strategy/privileged.ts';
import { withValidation } from '../../api/strategy/strategy-for.ts';
import type { StrategyFor } from '../../api/strategy/strategy-for.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';

type Compile = Expressions['compile'];

const group = 'admissionregistration.k8s.io';
const devices = 'resource.k8s.io';
const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };

/** What flags change. */
export interface StrategySwitches extends Pick<EstablishPorts, 'caBundleError'> {
  /** The minor release: 36 of 1.36. */
  readonly release: number;
  /** May containers be privileged? */
  readonly allowPrivileged: boolean;
  /** Are names that end with `.static.k8s.io` for files only? */
  readonly reservesStaticNames: boolean;
  /** What is wrong with the signature of a request for a certificate, PEM in base64; not looked at unless said. */
  readonly signatureFault?: (request: string) => string | undefined;
}

/** The strategy of every resource; the rules of configurations, policies and bindings come from admission/, those of definitions from custom/. */
export function createStrategies(
  strategyFor: StrategyFor,
  { compile, compileSelector }: Pick<Expressions, 'compile' | 'compileSelector'>,
  engine: () => CrdEngine,
  { allowPrivileged, reservesStaticNames, caBundleError, release, signatureFault }: StrategySwitches,
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
    const strategy = own ? (reservesStaticNames ? withReservedNames(own) : own) : strategyFor(resource);
    return allowPrivileged ? strategy : withoutPrivileged(resource, strategy);
  };
}

/** `old` is the object that is replaced. */
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
    ...warnings,
    compileExpressions: (object, old, yieldIfLong) =>
      compileMatchConditions(object, old, compileCondition, yieldIfLong),
  };
}

function policyStrategy(generic: Strategy, compile: Compile, validate: Validate): Strategy {
  const strategy = withValidation(
    generic,
    (object) => validate(object, compile),
    (object, old) => validate(object, compile, old),
  );
  return { ...strategy, ...warnings };
}

/** Whoever asks for a certificate must have the key. Follows kubernetes pkg/apis/certificates/validation validateCSR. */
function withSignatures(strategy: Strategy, faultOf: (request: string) => string | undefined): Strategy {
  const validate = ({ spec }: CertificateSigningRequest): readonly FieldError[] => {
    const request = spec?.request ?? '';
    const fault = faultOf(request);
    return fault === undefined ? [] : [invalidValue('spec.request', request, fault)];
  };
  return withValidation(strategy, validate, validate);
}

/** Expressions that select devices are compiled in the course of the validation that finds them. */
function withSelectors(strategy: Strategy, compile: Expressions['compileSelector']): Strategy {
  const faults: SelectorFaults = (expression, path, stored) =>
    selectorFaults(expression, path, compile(expression, stored));
  return {
    ...strategy,
    validate: (object) => strategy.validate(object, faults),
    validateUpdate: (object, old, subresource) => strategy.validateUpdate(object, old, subresource, faults),
  };
}

function bindingStrategy(generic: Strategy): Strategy {
  const validate = (object: KubernetesObject): readonly FieldError[] => validatePolicyBinding(object);
  return { ...withValidation(generic, validate, validate), ...warnings };
}

const warnings = { warningsOnCreate: configurationWarnings, warningsOnUpdate: configurationWarnings };

/** What is refused needs no warning; what was there before may still be changed (rules CFG-65, CFG-66). */
const withReservedNames = (strategy: Strategy): Strategy => ({
  ...strategy,
  validate: (object) => [...strategy.validate(object), ...reservedNameErrors(object)],
  warningsOnCreate: () => [],
});
