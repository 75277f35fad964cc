import {
  configurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../apiserver/admission/configuration/configuration-document.ts';
import {
  anyField,
  boolField,
  objectField,
  objectsField,
  optionalField,
  stringField,
} from '../../machinery/meta/decode-fields.ts';
import { fieldErrorText, invalidValue } from '../../machinery/meta/field-error.ts';

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
  /** kadmit has no JWT authenticators. */
  readonly hasJwt: boolean;
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
    fields: { jwt: anyField, anonymous: optionalField(objectField(anonymous)) },
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
  const { jwt, anonymous: config } = decoded.value;
  const paths = config?.conditions.map((condition) => condition.path) ?? [];
  if (config && config.enabled !== true && paths.length > 0) {
    const printed = paths.map((one) => ({ Path: one }));
    const detail = 'enabled should be set to true when conditions are defined';
    const error = invalidValue('anonymous.conditions', printed, detail);
    return unreadable(`invalid authentication configuration: ${fieldErrorText(error)}`);
  }
  const hasJwt = Array.isArray(jwt) ? jwt.length > 0 : jwt !== undefined && jwt !== null;
  return read({ anonymous: config ? { enabled: config.enabled === true, paths } : undefined, hasJwt });
}
