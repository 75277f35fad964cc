/** Why a server's certificate was refused. */
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

/**
 * What exactly went wrong with a call, where its phase leaves that open. Whoever finds it says it: explanations and
 * recorded faults read it here, and nobody takes the text of an error apart.
 */
export type FailureCause =
  | { readonly because: Cause }
  /** `address`: where the connection should have led, `127.0.0.1:443`. */
  | { readonly because: 'connection-refused' | 'unreachable' | 'not-opened'; readonly address: string }
  | { readonly because: 'http-status'; readonly code: number };
