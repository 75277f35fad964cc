import {
  type ConfigurationKind,
  read,
  readConfiguration,
  type ConfigurationReading,
  unreadable,
} from '../../../apiserver/admission/configuration/configuration-document.ts';
import type { ClaimMappings, JwtAuthenticator, PrefixedClaim } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import type { FieldReader, Fields, StructPath } from '../../../machinery/meta/decode-fields.ts';
import { type FieldError, invalidValue } from '../../../machinery/meta/field-error.ts';

/** The path of a struct in Go's messages, and in those of the strict decoder. */
interface Spot {
  readonly path: string;
  readonly at: string;
}

const inside = ({ path, at }: Spot, name: string): Spot => ({ path: `${path}.${name}`, at: `${at}.${name}` });

/** Follows apiserver pkg/apis/apiserver/v1/types.go. */
const readJwtAuthenticators = (root: Fields, reader: FieldReader): readonly JwtAuthenticator[] =>
  reader
    .objects(root, 'jwt', { struct: 'AuthenticationConfiguration', path: '' }, 'v1.JWTAuthenticator')
    .map((fields, index) => readJwt(fields, { path: 'jwt', at: `jwt[${index}]` }, reader));

function readJwt(fields: Fields, spot: Spot, reader: FieldReader): JwtAuthenticator {
  const place = { struct: 'JWTAuthenticator', path: spot.path };
  reader.only(fields, ['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules'], spot.at);
  const rules = inside(spot, 'claimValidationRules');
  const users = inside(spot, 'userValidationRules');
  return {
    issuer: readIssuer(reader.object(fields, 'issuer', place, 'v1.Issuer'), inside(spot, 'issuer'), reader),
    claimValidationRules: reader
      .objects(fields, 'claimValidationRules', place, 'v1.ClaimValidationRule')
      .map((rule, index) => {
        const text = textsOf(rule, 'ClaimValidationRule', { path: rules.path, at: `${rules.at}[${index}]` }, reader);
        reader.only(rule, ['claim', 'requiredValue', 'expression', 'message'], `${rules.at}[${index}]`);
        return {
          claim: text('claim'),
          requiredValue: text('requiredValue'),
          expression: text('expression'),
          message: text('message'),
        };
      }),
    claimMappings: readMappings(
      reader.object(fields, 'claimMappings', place, 'v1.ClaimMappings'),
      inside(spot, 'claimMappings'),
      reader,
    ),
    userValidationRules: reader
      .objects(fields, 'userValidationRules', place, 'v1.UserValidationRule')
      .map((rule, index) => {
        const text = textsOf(rule, 'UserValidationRule', { path: users.path, at: `${users.at}[${index}]` }, reader);
        reader.only(rule, ['expression', 'message'], `${users.at}[${index}]`);
        return { expression: text('expression'), message: text('message') };
      }),
  };
}

const textsOf =
  (fields: Fields, struct: string, { path }: Spot, reader: FieldReader) =>
  (name: string): string =>
    reader.text(fields, name, { struct, path });

function readIssuer(fields: Fields, spot: Spot, reader: FieldReader): JwtAuthenticator['issuer'] {
  const text = textsOf(fields, 'Issuer', spot, reader);
  const known = [
    'url',
    'discoveryURL',
    'certificateAuthority',
    'audiences',
    'audienceMatchPolicy',
    'egressSelectorType',
  ];
  reader.only(fields, known, spot.at);
  return {
    url: text('url'),
    discoveryURL: text('discoveryURL'),
    certificateAuthority: text('certificateAuthority'),
    audiences: reader.texts(fields, 'audiences', { struct: 'Issuer', path: spot.path }),
    audienceMatchPolicy: text('audienceMatchPolicy'),
    egressSelectorType: text('egressSelectorType'),
  };
}

function readMappings(fields: Fields, spot: Spot, reader: FieldReader): ClaimMappings {
  const place = { struct: 'ClaimMappings', path: spot.path };
  reader.only(fields, ['username', 'groups', 'uid', 'extra'], spot.at);
  const prefixed = (name: string): PrefixedClaim => {
    const at = inside(spot, name);
    const fieldsRead = reader.object(fields, name, place, 'v1.PrefixedClaimOrExpression');
    const text = textsOf(fieldsRead, 'PrefixedClaimOrExpression', at, reader);
    reader.only(fieldsRead, ['claim', 'prefix', 'expression'], at.at);
    const prefix = (fieldsRead['prefix'] ?? null) === null ? null : text('prefix');
    return { claim: text('claim'), prefix, expression: text('expression') };
  };
  const uid = reader.object(fields, 'uid', place, 'v1.ClaimOrExpression');
  const uidText = textsOf(uid, 'ClaimOrExpression', inside(spot, 'uid'), reader);
  reader.only(uid, ['claim', 'expression'], `${spot.at}.uid`);
  const extra = inside(spot, 'extra');
  return {
    username: prefixed('username'),
    groups: prefixed('groups'),
    uid: { claim: uidText('claim'), expression: uidText('expression') },
    extra: reader.objects(fields, 'extra', place, 'v1.ExtraMapping').map((mapping, index) => {
      const text = textsOf(mapping, 'ExtraMapping', extra, reader);
      reader.only(mapping, ['key', 'valueExpression'], `${extra.at}[${index}]`);
      return { key: text('key'), valueExpression: text('valueExpression') };
    }),
  };
}

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
const kind: ConfigurationKind = {
  names: ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, 'AuthenticationConfiguration']),
  scheme: 'k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go:879',
};

const root: StructPath = { struct: 'AuthenticationConfiguration', path: '' };
const inAnonymous: StructPath = { struct: 'AnonymousAuthConfig', path: 'anonymous' };
const inCondition: StructPath = { struct: 'AnonymousAuthCondition', path: 'anonymous.conditions' };

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go and apiserver pkg/apis/apiserver/validation/validation.go. */
export function readAuthenticationConfiguration(
  text: string,
  path: string,
): ConfigurationReading<AuthenticationConfiguration> {
  const failed = (error: string): ConfigurationReading<never> =>
    unreadable(`failed to load authentication configuration from file ${JSON.stringify(path)}: ${error}`);
  if (text === '') return failed('empty config data');
  const decoded = readConfiguration(text, kind, (fields, reader): AuthenticationConfiguration => {
    reader.only(fields, ['apiVersion', 'kind', 'jwt', 'anonymous'], '');
    const jwt = readJwtAuthenticators(fields, reader);
    if ((fields['anonymous'] ?? null) === null) return { anonymous: undefined, jwt };
    const fieldsRead = reader.object(fields, 'anonymous', root, 'v1.AnonymousAuthConfig');
    reader.only(fieldsRead, ['enabled', 'conditions'], 'anonymous');
    const conditions = reader.objects(fieldsRead, 'conditions', inAnonymous, 'v1.AnonymousAuthCondition');
    const paths = conditions.map((condition, index) => {
      reader.only(condition, ['path'], `anonymous.conditions[${index}]`);
      return reader.text(condition, 'path', inCondition);
    });
    return { anonymous: { enabled: reader.truth(fieldsRead, 'enabled', inAnonymous) === true, paths }, jwt };
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
