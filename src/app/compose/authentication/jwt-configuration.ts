import type { FieldReader, Fields } from '../../../machinery/meta/decode-fields.ts';
import type { ClaimMappings, JwtAuthenticator, PrefixedClaim } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';

/** Where a struct of the configuration stands: its path for Go, and for the strict decoder. */
interface Spot {
  readonly path: string;
  readonly at: string;
}

const inside = ({ path, at }: Spot, name: string): Spot => ({ path: `${path}.${name}`, at: `${at}.${name}` });

/** Reads the field `jwt` of an AuthenticationConfiguration. Follows apiserver pkg/apis/apiserver/v1/types.go. */
export const readJwtAuthenticators = (root: Fields, reader: FieldReader): readonly JwtAuthenticator[] =>
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
    const said = reader.object(fields, name, place, 'v1.PrefixedClaimOrExpression');
    const text = textsOf(said, 'PrefixedClaimOrExpression', at, reader);
    reader.only(said, ['claim', 'prefix', 'expression'], at.at);
    const prefix = (said['prefix'] ?? null) === null ? null : text('prefix');
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
