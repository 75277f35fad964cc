import type { IncomingHttpHeaders } from 'node:http';

/** What every answer says besides its own headers. */
export interface ResponseHeaderOptions {
  /** Of Strict-Transport-Security; [] says nothing. */
  readonly transportSecurity: readonly string[];
  /** May pages of this origin read answers? */
  readonly isOriginAllowed: (origin: string) => boolean;
}

export const noResponseHeaders: ResponseHeaderOptions = { transportSecurity: [], isOriginAllowed: () => false };

type Headers = readonly (readonly [name: string, value: string])[];

const crossOrigin: Headers = [
  ['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH'],
  [
    'access-control-allow-headers',
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  ],
  ['access-control-expose-headers', 'Date'],
  ['access-control-allow-credentials', 'true'],
];

/** Headers of any answer to this request, and whether they are all of it: a page may be asking whether it may ask. */
export function responseHeaders(
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  { transportSecurity, isOriginAllowed }: ResponseHeaderOptions,
): { readonly headers: Headers; readonly isWhole: boolean } {
  const { origin = '' } = headers;
  const isAllowed = origin !== '' && isOriginAllowed(origin);
  return {
    isWhole: isAllowed && method === 'OPTIONS',
    headers: [
      // Follows apiserver pkg/server/filters/hsts.go.
      ...(transportSecurity.length === 0
        ? []
        : ([['strict-transport-security', transportSecurity.join('; ')]] as const)),
      // Follows apiserver pkg/server/filters/cors.go.
      ...(isAllowed ? [['access-control-allow-origin', origin] as const, ...crossOrigin] : []),
    ],
  };
}
