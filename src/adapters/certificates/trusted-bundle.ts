const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * What clients have to trust: the own CA and, where another certificate is served, all that stands in its file. One that
 * signed itself is trusted then, and so is one whose CA is in its chain.
 */
export const trustedBundle = (ownCa: string, servedFile: string): string =>
  [ownCa, ...(servedFile.match(certificate) ?? []).map((block) => `${block}\n`)].join('');
