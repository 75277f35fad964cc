import type { StructPath } from '../../../machinery/meta/decode-fields.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import {
  read,
  readConfiguration,
  unreadable,
} from '../../../apiserver/admission/configuration/configuration-document.ts';
import type { JwtAuthenticator } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import { readJwtAuthenticators } from './jwt-configuration.ts';
import type { ConfigurationKind, Reading } from '../../../apiserver/admission/configuration/configuration-document.ts';

/** An AuthenticationConfiguration. */
export interface AuthenticationConfiguration {
  /** undefined: the flag decides. */
  readonly anonymous: Anonymous | undefined;
  readonly jwt: readonly JwtAuthenticator[];
}

export interface Anonymous {
  readonly enabled: boolean;
  /** Without any, everywhere. */
  readonly paths: readonly string[];
}

const group = 'apiserver.config.k8s.io';
const kind: ConfigurationKind = {
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'AuthenticationConfiguration']),
  scheme: 'k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go:879',
};

const root: StructPath = { struct: 'AuthenticationConfiguration', path: '' };
const inAnonymous: StructPath = { struct: 'AnonymousAuthConfig', path: 'anonymous' };
const inCondition: StructPath = { struct: 'AnonymousAuthCondition', path: 'anonymous.conditions' };

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go and apiserver pkg/apis/apiserver/validation/validation.go. */
export function readAuthenticationConfiguration(text: string, path: string): Reading<AuthenticationConfiguration> {
  const failed = (error: string): Reading<never> =>
    unreadable(`failed to load authentication configuration from file ${JSON.stringify(path)}: ${error}`);
  if (text === '') return failed('empty config data');
  const decoded = readConfiguration(text, kind, (fields, reader): AuthenticationConfiguration => {
    reader.only(fields, ['apiVersion', 'kind', 'jwt', 'anonymous'], '');
    const jwt = readJwtAuthenticators(fields, reader);
    if ((fields['anonymous'] ?? null) === null) return { anonymous: undefined, jwt };
    const said = reader.object(fields, 'anonymous', root, 'v1.AnonymousAuthConfig');
    reader.only(said, ['enabled', 'conditions'], 'anonymous');
    const conditions = reader.objects(said, 'conditions', inAnonymous, 'v1.AnonymousAuthCondition');
    const paths = conditions.map((condition, index) => {
      reader.only(condition, ['path'], `anonymous.conditions[${index}]`);
      return reader.text(condition, 'path', inCondition);
    });
    return { anonymous: { enabled: reader.truth(said, 'enabled', inAnonymous) === true, paths }, jwt };
  });
  if (!decoded.ok) return failed(decoded.error);
  return read(decoded.value);
}

/** Follows apiserver pkg/apis/apiserver/validation/validation.go. */
export function anonymousErrors({ anonymous }: AuthenticationConfiguration): readonly FieldError[] {
  if (!anonymous || anonymous.enabled || anonymous.paths.length === 0) return [];
  const printed = anonymous.paths.map((one) => ({ Path: one }));
  return [invalidValue('anonymous.conditions', printed, 'enabled should be set to true when conditions are defined')];
}
