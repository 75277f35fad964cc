import { arch, platform, version as nodeVersion } from 'node:process';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { routeRefusal } from './accept.ts';
import { methodNotAllowed } from '../../machinery/meta/status.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** The release whose behaviour is followed. Follows apimachinery pkg/version/types.go. */
function versionInfo(gitVersion: string): JsonObject {
  const [major = '', minor = ''] = gitVersion.replace(/^v/, '').split('.');
  return {
    major,
    minor,
    // Since 1.33.
    ...(Number(minor) < 33 ? {} : emulationOf(major, minor)),
    gitVersion,
    gitCommit: 'kadmit',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node ${nodeVersion}`,
    compiler: 'node',
    platform: `${platform}/${arch === 'x64' ? 'amd64' : arch}`,
  };
}

const emulationOf = (major: string, minor: string): JsonObject => ({
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor: String(Number(minor) - 1),
});

/** `/version`; undefined for any other path. Follows apiserver pkg/server/routes/version.go. */
export function serveVersion({ method, path, headers }: ApiRequest, gitVersion: string): ApiResponse | undefined {
  if (path !== '/version' && path !== '/version/') return undefined;
  if (method !== 'GET') return { type: 'status', status: methodNotAllowed(), warnings: [] };
  const accept = typeof headers['accept'] === 'string' ? headers['accept'] : undefined;
  const refusal = routeRefusal(accept, ['application/json']);
  if (refusal) return { type: 'status', status: refusal, warnings: [] };
  return {
    type: 'document',
    code: 200,
    contentType: 'application/json',
    body: JSON.stringify(versionInfo(gitVersion), null, 2),
  };
}
