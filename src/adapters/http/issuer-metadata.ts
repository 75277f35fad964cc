import { asString } from '../../machinery/json/json.ts';
import { methodNotAllowed } from '../../machinery/meta/status.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';

/** Who issues ServiceAccount tokens, for those who check them without asking the server. */
export interface TokenIssuerMetadata {
  readonly issuer: string;
  /** JSON Web Keys. */
  readonly keySet: readonly JsonObject[];
  /** Where the keys are said to be, if not at this server. */
  readonly keysUri?: string;
}

const configurationPath = '/.well-known/openid-configuration';
const keySetPath = '/openid/v1/jwks';

export const issuerPaths: readonly string[] = [configurationPath, keySetPath];

/** Relying parties only follow such an issuer. */
export const isDiscoverable = ({ issuer, keySet }: TokenIssuerMetadata): boolean =>
  /^https:\/\/[^?#]+$/.test(issuer) && URL.canParse(issuer) && keySet.length > 0;

/**
 * OpenID's discovery of the issuer and its keys; undefined for any other path. `serverAddress` is asked each time.
 * Follows kubernetes pkg/serviceaccount/openidmetadata.go and pkg/routes/openidmetadata.go.
 */
export const serveIssuerMetadata =
  (metadata: TokenIssuerMetadata, serverAddress: () => string) =>
  ({ method, path }: ApiRequest): ApiResponse | undefined => {
    const asked = path.replace(/\/$/, '');
    if (!issuerPaths.includes(asked) || !isDiscoverable(metadata)) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return { type: 'status', status: methodNotAllowed(), warnings: [] };
    const isKeySet = asked === keySetPath;
    return {
      type: 'document',
      code: 200,
      contentType: isKeySet ? 'application/jwk-set+json' : 'application/json',
      headers: { 'cache-control': 'public, max-age=3600' },
      body: JSON.stringify(isKeySet ? { keys: metadata.keySet } : configuration(metadata, serverAddress())),
    };
  };

const configuration = ({ issuer, keySet, keysUri }: TokenIssuerMetadata, address: string): JsonObject => ({
  issuer,
  jwks_uri: keysUri || `https://${address}${keySetPath}`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [...new Set(keySet.map(({ alg }) => asString(alg)))].toSorted(),
});
