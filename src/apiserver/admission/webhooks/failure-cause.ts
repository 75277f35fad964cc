export type CertificateCause =
  | 'not-yet-valid'
  | 'expired'
  | 'common-name-only'
  | 'name-mismatch'
  | 'key-usage'
  | 'not-an-authority'
  | 'unknown-authority';

type Cause =
  | CertificateCause
  | 'service-missing'
  | 'service-port-missing'
  | 'service-unroutable'
  | 'no-endpoints'
  | 'host-unknown'
  | 'proxy'
  | 'plain-http'
  | 'old-protocol'
  | 'client-certificate-wanted'
  | 'handshake-ended'
  | 'late-connection'
  | 'late-handshake'
  | 'no-http'
  | 'redirects'
  | 'uid-mismatch'
  | 'response-absent'
  | 'not-a-review'
  | 'patch-type'
  | 'patch-unasked'
  | 'patch-not-base64'
  | 'patch-undecodable'
  | 'operation-failed'
  | 'test-failed'
  | 'result-undecodable';

/** More exact than the phase, so that texts of errors need not be parsed. */
export type FailureCause =
  | { readonly because: Cause }
  /** `address`: `127.0.0.1:443`. */
  | { readonly because: 'connection-refused' | 'unreachable' | 'not-opened'; readonly address: string }
  | { readonly because: 'http-status'; readonly code: number };
