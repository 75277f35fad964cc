import type { ApiResponse } from './api-request.ts';

/** What a path gets that nobody serves. */
export const pageNotFound: ApiResponse = {
  type: 'document',
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

/** The group of a path that names a version and nothing below it: `/api/v2`, `/apis/apps/v9`. */
export function groupOfPath(path: string): string | undefined {
  const [, core, group] = /^\/(?:(api)|apis\/([^/]+))\/[^/]+$/.exec(path) ?? [];
  return core === undefined ? group : '';
}
