import type { IssueCertificate } from '../../stubs/stub-certificates.ts';
import type { TargetAccess } from './https-client.ts';

export interface TargetOptions {
  readonly access: TargetAccess;
  readonly issueCertificate: IssueCertificate;
  /** Where the stubs listen; 127.0.0.1 unless the server runs elsewhere. */
  readonly stubHost?: string;
  /** Under which name or address the server reaches the stubs; `stubHost` unless something else is said. */
  readonly stubName?: string;
}
