const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The CAs that clients trust: kadmit's own and, for another serving certificate, its whole file: the certificate may
 * be self-signed, or its chain contain the CA.
 */
export const trustedBundle = (ownCa: string, servedFile: string): string =>
  [ownCa, ...(servedFile.match(certificate) ?? []).map((block) => `${block}\n`)].join('');
