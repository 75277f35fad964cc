import type { ApiResponse } from './api-request.ts';

/** 404 of unserved paths. */
export const pageNotFound: ApiResponse = {
  type: 'document',
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
};

/** `/api/v2`, `/apis/apps/v9`: a version and nothing below. */
export function groupOfPath(path: string): string | undefined {
  const [, core, group] = /^\/(?:(api)|apis\/([^/]+))\/[^/]+$/.exec(path) ?? [];
  return core === undefined ? group : '';
}
