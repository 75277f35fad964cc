import { errorBody } from '../auth/forbidden.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';

/** Nobody allowed it, and somebody who might have could not be asked. Follows apiserver pkg/endpoints/handlers/responsewriters/errors.go InternalError. */
export const undecided = ({ target, path }: ApiRequest, error: string): ApiResponse => ({
  type: 'document',
  code: 500,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: errorBody(target ?? path, error),
});
