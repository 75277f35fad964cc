import type { X509Certificate } from 'node:crypto';
import type { ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';
import { namesIn } from './verify-hostname.ts';

/** The relevant fields of a refused certificate, and the expected name. */
export const shownBy = (leaf: X509Certificate, serverName: string): ServerCertificate => ({
  subject: oneLine(leaf.subject),
  issuer: oneLine(leaf.issuer),
  names: namesIn(leaf),
  notBefore: Date.parse(leaf.validFrom),
  notAfter: Date.parse(leaf.validTo),
  serverName,
});

/** Node prints one part of a name per line. */
const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ');
