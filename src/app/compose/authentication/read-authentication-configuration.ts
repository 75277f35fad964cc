import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../../apiserver/admission/configuration/configuration-document.ts';
import type { ClaimMappings, JwtAuthenticator, PrefixedClaim } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import {
  objectField,
  objectsField,
  optionalField,
  type Struct,
  stringField,
  stringsField,
  boolField,
} from '../../../machinery/meta/decode-fields.ts';
import { type FieldError, invalidValue } from '../../../machinery/meta/field-error.ts';

const issuer: Struct<JwtAuthenticator['issuer']> = {
  type: 'v1.Issuer',
  fields: {
    url: stringField(),
    discoveryURL: stringField(),
    certificateAuthority: stringField(),
    audiences: stringsField(),
    audienceMatchPolicy: stringField(),
    egressSelectorType: stringField(),
  },
};
const prefixed: Struct<PrefixedClaim> = {
  type: 'v1.PrefixedClaimOrExpression',
  fields: { claim: stringField(), prefix: optionalField(stringField()), expression: stringField() },
};
const claimMappings: Struct<ClaimMappings> = {
  type: 'v1.ClaimMappings',
  fields: {
    username: objectField(prefixed),
    groups: objectField(prefixed),
    uid: objectField({ type: 'v1.ClaimOrExpression', fields: { claim: stringField(), expression: stringField() } }),
    extra: objectsField({ type: 'v1.ExtraMapping', fields: { key: stringField(), valueExpression: stringField() } }),
  },
};
const jwt: Struct<JwtAuthenticator> = {
  type: 'v1.JWTAuthenticator',
  fields: {
    issuer: objectField(issuer),
    claimValidationRules: objectsField({
      type: 'v1.ClaimValidationRule',
      fields: { claim: stringField(), requiredValue: stringField(), expression: stringField(), message: stringField() },
    }),
    claimMappings: objectField(claimMappings),
    userValidationRules: objectsField({
      type: 'v1.UserValidationRule',
      fields: { expression: stringField(), message: stringField() },
    }),
  },
};
const anonymous = {
  type: 'v1.AnonymousAuthConfig',
  fields: {
    enabled: boolField,
    conditions: objectsField({ type: 'v1.AnonymousAuthCondition', fields: { path: stringField() } }),
  },
};

export interface AuthenticationConfiguration {
  /** undefined: the flag decides. */
  readonly anonymous: Anonymous | undefined;
  readonly jwt: readonly JwtAuthenticator[];
}

export interface Anonymous {
  readonly enabled: boolean;
  /** Default: all. */
  readonly paths: readonly string[];
}

const group = 'apiserver.config.k8s.io';
/** Follows apiserver pkg/apis/apiserver/v1/types.go. */
const kind = configurationKind({
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'AuthenticationConfiguration']),
  scheme: 'k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go:879',
  struct: {
    type: 'AuthenticationConfiguration',
    fields: { jwt: objectsField(jwt), anonymous: optionalField(objectField(anonymous)) },
  },
});

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go and apiserver pkg/apis/apiserver/validation/validation.go. */
export function readAuthenticationConfiguration(
  file: string,
  path: string,
): ConfigurationReading<AuthenticationConfiguration> {
  const failed = (error: string): ConfigurationReading<never> =>
    unreadable(`failed to load authentication configuration from file ${JSON.stringify(path)}: ${error}`);
  if (file === '') return failed('empty config data');
  const decoded = readConfiguration(file, kind);
  if (!decoded.ok) return failed(decoded.error);
  const { jwt: authenticators, anonymous: config } = decoded.value;
  const paths = config?.conditions.map((condition) => condition.path) ?? [];
  return read({ jwt: authenticators, anonymous: config ? { enabled: config.enabled === true, paths } : undefined });
}

/** Follows apiserver pkg/apis/apiserver/validation/validation.go. */
export function anonymousErrors({ anonymous }: AuthenticationConfiguration): readonly FieldError[] {
  if (!anonymous || anonymous.enabled || anonymous.paths.length === 0) return [];
  const printed = anonymous.paths.map((one) => ({ Path: one }));
  return [invalidValue('anonymous.conditions', printed, 'enabled should be set to true when conditions are defined')];
}
