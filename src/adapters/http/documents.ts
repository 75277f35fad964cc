import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { createDiscovery } from './discovery.ts';
import { healthPaths, serveHealth } from './health.ts';
import { createOpenApi } from './openapi.ts';
import { isDiscoverable, issuerPaths, serveIssuerMetadata } from './issuer-metadata.ts';
import type { TokenIssuerMetadata } from './issuer-metadata.ts';
import { serveVersion } from './version.ts';

export interface DocumentSources {
  readonly catalogue: Catalogue;
  /** `127.0.0.1:6443`; asked each time, for a free port is known late. */
  readonly serverAddress: () => string;
  /** Of ServiceAccount tokens; undefined where nobody outside can have one. */
  readonly issuer?: TokenIssuerMetadata;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Was it told to stop? */
  readonly isStopping?: () => boolean;
}

/** Answers a path that names no resource; undefined when nobody serves it. */
export type ServeDocument = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/**
 * Discovery, OpenAPI, health, version and the list of all these paths. Called for authorised requests only.
 * Follows apiserver pkg/server/routes.
 */
export function createDocuments(sources: DocumentSources): ServeDocument {
  const discovery = createDiscovery(sources.catalogue, sources.serverAddress);
  const { issuer } = sources;
  const hasIssuer = issuer !== undefined && isDiscoverable(issuer);
  const openApi = createOpenApi(sources.catalogue, sources.now, hasIssuer);
  const more = hasIssuer ? [...otherPaths, ...issuerPaths] : otherPaths;
  const index: ServeDocument = async ({ path }) =>
    path === '/' ? pathIndex([...discovery.paths(), ...more]) : undefined;
  const ofIssuer = issuer ? [serveIssuerMetadata(issuer, sources.serverAddress)] : [];
  const version: ServeDocument = async (request) => serveVersion(request, sources.catalogue.types.version);
  const health = serveHealth(sources.isStopping);
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
