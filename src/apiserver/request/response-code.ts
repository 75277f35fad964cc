import type { ApiResponse } from './api-request.ts';

export function responseCode(response: ApiResponse): number {
  switch (response.type) {
    case 'status':
      return response.status.code;
    case 'object':
    case 'document':
      return response.code;
    case 'watch':
      return 200;
  }
}
