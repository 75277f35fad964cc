import { X509Certificate } from 'node:crypto';
import { commandFailed } from '../../../adapters/config/config-error.ts';
import { readGoFile, tryGo } from '../../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../../adapters/config/server-config.ts';
import { defaultOptions, type UpstreamOptions } from '../../../adapters/config/upstream/options.ts';
import type { Log } from '../../../adapters/telemetry/log.ts';
import { aggregateText } from '../../../apiserver/auth/authorizer.ts';
import type { TokenSource } from '../../../apiserver/auth/bearer-token.ts';
import { validAlgorithms } from '../../../apiserver/auth/jwt/id-token.ts';
import type { JwtAuthenticator, EvaluateClaims } from '../../../apiserver/auth/jwt/jwt-authenticator.ts';
import type * as Engine from '../../../cel/index.ts';
import { readRegularFile } from '../../../adapters/files/bounded-file.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { fieldErrorText } from '../../../machinery/meta/field-error.ts';
import {
  anonymousErrors,
  type AuthenticationConfiguration,
  readAuthenticationConfiguration,
} from '../../compose/authentication/read-authentication-configuration.ts';
import { type JwtChecks, jwtErrors } from '../../compose/authentication/validate-jwt.ts';
import type { Closing } from '../closing.ts';
import { watchFile } from '../watch-folder.ts';
import { type JwtSource, openJwtSource } from './jwt-source.ts';

interface AuthenticatorPorts {
  readonly log: Log;
  readonly now: () => number;
  /** Issuers of ServiceAccount tokens. */
  readonly issuers: readonly string[];
  readonly apiAudiences: readonly string[];
}

/**
 * The authenticators of an AuthenticationConfiguration or of the OIDC flags. The file is read again when it changes; after an
 * error the old authenticators stay in force. Rejects with StartFailure.
 * Follows kubernetes pkg/kubeapiserver/options/authentication.go ApplyTo.
 */
export async function openJwtAuthenticators(
  config: ServerConfig,
  ports: AuthenticatorPorts,
  closing: Closing,
): Promise<readonly TokenSource[]> {
  const { authenticationConfig: path, upstream = defaultOptions } = config;
  const text = path === '' ? '' : readGoFile(path);
  const first =
    path === '' ? { jwt: authenticatorsFromFlags(upstream), anonymous: undefined } : parseConfiguration(text, path);
  if (path === '' && first.jwt.length === 0) return [];
  const algorithms = path === '' ? upstream.list['oidc-signing-algs'] : validAlgorithms;
  let current = await openAuthenticators(first, algorithms, ports);
  closing.add(() => current.close());
  if (path === '') return [current.source];
  let last = text;
  const reload = async (): Promise<void> => {
    const file = tryGo(() => readRegularFile(path));
    if (!file.ok || file.value === last) return;
    last = file.value;
    try {
      const next = await openAuthenticators(parseConfiguration(file.value, path), algorithms, ports);
      current.close();
      current = next;
      ports.log.info(0, 'reloaded authentication config', { file: path });
    } catch (error) {
      ports.log.error(
        `--authentication-config ${path}: cannot be reloaded, the previous authenticators stay in force: ${String(error)}`,
      );
    }
  };
  closing.add(watchFile(path, () => void reload()).end);
  return [(token, audiences, jwt) => current.source(token, audiences, jwt)];
}

function parseConfiguration(text: string, path: string): AuthenticationConfiguration {
  const reading = readAuthenticationConfiguration(text, path);
  if (!reading.ok) throw commandFailed(reading.error);
  return reading.value;
}

/** Rejects for an invalid configuration. */
async function openAuthenticators(
  configuration: AuthenticationConfiguration,
  algorithms: readonly string[],
  ports: AuthenticatorPorts,
): Promise<{ readonly source: TokenSource; readonly close: () => void }> {
  const { jwt: authenticators } = configuration;
  const cel = authenticators.some(hasExpressions) ? await import('../../../cel/index.ts') : undefined;
  // The issuers of ServiceAccounts are checked last, one authenticator at a time.
  const errors = [...jwtErrors(authenticators, jwtChecks(cel, [])), ...anonymousErrors(configuration)];
  if (errors.length > 0) {
    throw commandFailed(`invalid authentication configuration: ${aggregateText(errors.map(fieldErrorText))}`);
  }
  for (const authenticator of authenticators) {
    const overlaps = jwtErrors([authenticator], jwtChecks(cel, ports.issuers)).map(fieldErrorText);
    if (overlaps.length > 0) throw commandFailed(aggregateText(overlaps.map((one) => one.replace(/^jwt\[0\]\./, ''))));
  }
  const egress = authenticators.find(({ issuer }) => issuer.egressSelectorType !== '')?.issuer.egressSelectorType;
  if (egress !== undefined) throw commandFailed(`oidc: egress lookup required with egress selector type "${egress}"`);
  const unknown = algorithms.find((one) => !validAlgorithms.some((valid) => valid === one));
  if (unknown !== undefined) throw commandFailed(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  const evaluate = createClaimsEvaluator(cel);
  const { apiAudiences, now } = ports;
  const logError = ports.log.error;
  const opened: readonly JwtSource[] = authenticators.map((authenticator) =>
    openJwtSource(authenticator, { evaluate, algorithms, apiAudiences, now, logError }),
  );
  return {
    source: async (token, audiences, jwt) => {
      for (const { source } of opened) {
        // oxlint-disable-next-line no-await-in-loop -- the first that knows the issuer decides
        const verdict = await source(token, audiences, jwt);
        if (verdict) return verdict;
      }
      return undefined;
    },
    close: () => opened.forEach(({ close }) => close()),
  };
}

const hasExpressions = ({ claimMappings, claimValidationRules, userValidationRules }: JwtAuthenticator): boolean =>
  [
    claimMappings.username.expression,
    claimMappings.groups.expression,
    claimMappings.uid.expression,
    ...claimMappings.extra.map(({ valueExpression }) => valueExpression),
    ...claimValidationRules.map(({ expression }) => expression),
    ...userValidationRules.map(({ expression }) => expression),
  ].some((expression) => expression !== '');

/** Follows ToAuthenticationConfig: the issuer prefixes the username, unless it is the email. */
function authenticatorsFromFlags({ text, list }: UpstreamOptions): readonly JwtAuthenticator[] {
  const [url, clientId] = [text['oidc-issuer-url'], text['oidc-client-id']];
  if (url === '' || clientId === '') return [];
  const claim = text['oidc-username-claim'];
  const prefix = text['oidc-username-prefix'];
  const standard = claim === 'email' ? '' : `${url}#`;
  const groups = text['oidc-groups-claim'];
  const caFile = text['oidc-ca-file'];
  const required = new Map(
    list['oidc-required-claim'].map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return [
    {
      issuer: {
        url,
        discoveryURL: '',
        certificateAuthority: caFile === '' ? '' : readGoFile(caFile),
        audiences: [clientId],
        audienceMatchPolicy: '',
        egressSelectorType: '',
      },
      claimValidationRules: [...required].map(([name, requiredValue]) => ({
        claim: name.trim(),
        requiredValue: requiredValue.trim(),
        expression: '',
        message: '',
      })),
      claimMappings: {
        username: { claim, prefix: prefix === '' ? standard : prefix === '-' ? '' : prefix, expression: '' },
        groups: { claim: groups, prefix: groups === '' ? null : text['oidc-groups-prefix'], expression: '' },
        uid: { claim: '', expression: '' },
        extra: [],
      },
      userValidationRules: [],
    },
  ];
}

type Cel = typeof Engine;

/** Ours: upstream has no limit. */
const costLimit = 1_000_000;

const jwtChecks = (cel: Cel | undefined, disallowedIssuers: readonly string[]): JwtChecks => ({
  disallowedIssuers,
  expressionFault: (expression, variable, isRule) => {
    const compilation = cel?.compileClaimsExpression(expression, variable, isRule);
    return compilation?.outcome === 'failed' ? compilation.error : undefined;
  },
  usesClaim: (expression, claim) => cel !== undefined && usesClaim(expression, claim, cel),
  certificateFault,
});

/** Compiles each expression once. */
export function createClaimsEvaluator(cel: Cel | undefined): EvaluateClaims {
  const compilations = new Map<string, ReturnType<Cel['compileClaimsExpression']>>();
  return (expression, variable, value: JsonObject) => {
    if (!cel) return { ok: false, error: 'expressions are not available' };
    const key = `${variable} ${expression}`;
    const compilation = compilations.get(key) ?? cel.compileClaimsExpression(expression, variable, false);
    compilations.set(key, compilation);
    if (compilation.outcome === 'failed') return { ok: false, error: compilation.error };
    const shown = variable === 'claims' ? cel.toClaimsValue(value) : value;
    const result = cel.evaluate(compilation.compiled, (name) => (name === variable ? shown : undefined), { costLimit });
    if (result.outcome === 'error') return { ok: false, error: result.error };
    const json = cel.valueToBoundedJson(result.value);
    return json === undefined ? { ok: false, error: 'its value is too large' } : { ok: true, value: json };
  };
}

/** Whether it contains `claims.NAME` or `claims.?NAME`. Follows apiserver pkg/apis/apiserver/validation/validation.go hasSelectExp. */
function usesClaim(expression: string, claim: string, cel: Cel): boolean {
  const root = cel.parseExpression(expression);
  if (!root) return false;
  let isUsed = false;
  cel.walk(root, (part) => {
    isUsed ||= isClaim(part, claim);
  });
  return isUsed;
}

function isClaim(part: Engine.Expr, claim: string): boolean {
  if (part.type === 'select') return part.field === claim && isClaims(part.operand);
  if (part.type !== 'call' || part.name !== '_?._') return false;
  const [operand, field] = part.args;
  const name = field?.type === 'constant' && field.constant.type === 'string' ? field.constant.value : undefined;
  return operand !== undefined && isClaims(operand) && name === claim;
}

const isClaims = (part: Engine.Expr): boolean => part.type === 'ident' && part.name === 'claims';

/** Follows client-go util/cert/pem.go NewPoolFromBytes. */
function certificateFault(pem: string): string | undefined {
  const blocks = [...pemBlocks(pem)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (blocks.length === 0) return 'data does not contain any valid RSA or ECDSA certificates';
  for (const { base64 } of blocks) {
    try {
      void new X509Certificate(Buffer.from(base64, 'base64'));
    } catch {
      return 'x509: malformed certificate';
    }
  }
  return undefined;
}
