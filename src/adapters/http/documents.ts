import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { asString, type JsonObject } from '../../machinery/json/json.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { methodNotAllowed } from '../../machinery/meta/status.ts';
import { routeRefusal } from './accept.ts';
import { createDiscovery, type HashContent } from './discovery.ts';
import { statusResponse } from './json-body.ts';
import { createOpenApi } from './openapi.ts';

const checks = ['ping', 'log', 'etcd'];

/** The checks of each endpoint. All pass as soon as the server listens. */
const endpoints: ReadonlyMap<string, readonly string[]> = new Map([
  ['/healthz', checks],
  ['/livez', checks],
  ['/readyz', [...checks, 'etcd-readiness', 'informer-sync', 'shutdown']],
]);

/**
 * `/healthz`, `/livez`, `/readyz` and each of their checks; undefined for any other path. Follows apiserver
 * pkg/server/healthz/healthz.go.
 */
function serveHealth({ path, query }: ApiRequest): ApiResponse | undefined {
  const [, endpoint = '', check] = /^(\/[a-z]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const all = endpoints.get(endpoint);
  if (all === undefined) return undefined;
  if (check !== undefined) return all.includes(check) ? oneCheck : undefined;
  if (!query.has('verbose')) return text('ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = all.map((name) => `[+]${name} ${excluded.has(name) ? 'excluded: ok' : 'ok'}\n`);
  const warning = warningOf([...excluded].filter((name) => !all.includes(name)));
  return text(`${lines.join('')}${warning}${endpoint.slice(1)} check passed\n`);
}

/** For excluded checks that do not exist. */
const warningOf = (unknown: readonly string[]): string =>
  unknown.length === 0
    ? ''
    : `warn: some health checks cannot be excluded: no matches for ${unknown.toSorted().map(goQuote).join(',')}\n`;

const healthPaths: readonly string[] = [...endpoints].flatMap(([endpoint, names]) => [
  endpoint,
  ...names.map((name) => `${endpoint}/${name}`),
]);

/** Upstream sends no nosniff header with a single check. Follows apiserver pkg/server/healthz/healthz.go. */
const oneCheck: ApiResponse = { type: 'document', code: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };

const text = (body: string): ApiResponse => ({
  type: 'document',
  code: 200,
  contentType: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});

/** Of Node or of a browser. */
export interface DocumentPlatform {
  readonly hashContent: HashContent;
  /** `goVersion` and `platform` of `/version`: `node v20.19.0`, `linux/amd64`. */
  readonly runtime: string;
  readonly platform: string;
}

interface DocumentSources {
  readonly platform: DocumentPlatform;
  readonly catalogue: Catalogue;
  /** `127.0.0.1:6443`; called per request, since a free port is known late. */
  readonly serverAddress: () => string;
  /** Of ServiceAccount tokens; undefined when none leave the process. */
  readonly issuer?: TokenIssuerMetadata;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answers a path that names no resource; undefined when nothing serves it. */
type ServeDocument = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/**
 * Discovery, OpenAPI, health, version and the path index. Called for authorized requests only. Follows apiserver
 * pkg/server/routes.
 */
export function createDocuments(sources: DocumentSources): ServeDocument {
  const { hashContent } = sources.platform;
  const discovery = createDiscovery(sources.catalogue, sources.serverAddress, hashContent);
  const { issuer, platform } = sources;
  const hasIssuer = issuer !== undefined && isDiscoverable(issuer);
  const openApi = createOpenApi(sources.catalogue, { now: sources.now, hashContent, hasIssuer });
  const more = hasIssuer ? [...otherPaths, ...issuerPaths] : otherPaths;
  const index: ServeDocument = async ({ path }) =>
    path === '/' ? pathIndex([...discovery.paths(), ...more]) : undefined;
  const ofIssuer = issuer ? [serveIssuerMetadata(issuer, sources.serverAddress)] : [];
  const version: ServeDocument = async (request) =>
    serveVersion(request, versionInfo(sources.catalogue.types.version, platform));
  const health: ServeDocument = async (request) => serveHealth(request);
  const all = [index, health, version, discovery.serve, openApi, ...ofIssuer];
  return async (request) => {
    for (const serve of all) {
      const response = await serve(request);
      if (response) return response;
    }
    return undefined;
  };
}

const otherPaths = [...healthPaths, '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/metrics', '/version'];

/** Follows apiserver pkg/server/routes/index.go. */
const pathIndex = (paths: readonly string[]): ApiResponse => ({
  type: 'document',
  code: 200,
  contentType: 'application/json',
  body: JSON.stringify({ paths: paths.toSorted() }, null, 2),
});

/** Follows apimachinery pkg/version/types.go. */
function versionInfo(gitVersion: string, { runtime, platform }: DocumentPlatform): JsonObject {
  const [major = '', minor = ''] = gitVersion.replace(/^v/, '').split('.');
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: 'kadmit',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: runtime,
    compiler: 'node',
    platform,
  };
}

/** `/version`; undefined for any other path. Follows apiserver pkg/server/routes/version.go. */
function serveVersion({ method, path, headers }: ApiRequest, info: JsonObject): ApiResponse | undefined {
  if (path !== '/version' && path !== '/version/') return undefined;
  if (method !== 'GET') return statusResponse(methodNotAllowed());
  const accept = typeof headers['accept'] === 'string' ? headers['accept'] : undefined;
  const refusal = routeRefusal(accept, ['application/json']);
  if (refusal) return statusResponse(refusal);
  return {
    type: 'document',
    code: 200,
    contentType: 'application/json',
    body: JSON.stringify(info, null, 2),
  };
}

/** The issuer of ServiceAccount tokens, for clients that verify them offline. */
interface TokenIssuerMetadata {
  readonly issuer: string;
  /** JSON Web Keys. */
  readonly keySet: readonly JsonObject[];
}

const configurationPath = '/.well-known/openid-configuration';
const keySetPath = '/openid/v1/jwks';

const issuerPaths: readonly string[] = [configurationPath, keySetPath];

/** Relying parties require this of an issuer. */
const isDiscoverable = ({ issuer, keySet }: TokenIssuerMetadata): boolean =>
  /^https:\/\/[^?#]+$/.test(issuer) && URL.canParse(issuer) && keySet.length > 0;

/**
 * OpenID discovery document and keys of the issuer; undefined for any other path. Follows kubernetes
 * pkg/serviceaccount/openidmetadata.go and pkg/routes/openidmetadata.go.
 */
const serveIssuerMetadata =
  (metadata: TokenIssuerMetadata, serverAddress: () => string) =>
  ({ method, path }: ApiRequest): ApiResponse | undefined => {
    const requested = path.replace(/\/$/, '');
    if (!issuerPaths.includes(requested) || !isDiscoverable(metadata)) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return statusResponse(methodNotAllowed());
    const isKeySet = requested === keySetPath;
    return {
      type: 'document',
      code: 200,
      contentType: isKeySet ? 'application/jwk-set+json' : 'application/json',
      headers: { 'cache-control': 'public, max-age=3600' },
      body: JSON.stringify(isKeySet ? { keys: metadata.keySet } : configuration(metadata, serverAddress())),
    };
  };

const configuration = ({ issuer, keySet }: TokenIssuerMetadata, address: string): JsonObject => ({
  issuer,
  jwks_uri: `https://${address}${keySetPath}`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [...new Set(keySet.map(({ alg }) => asString(alg)))].toSorted(),
});
