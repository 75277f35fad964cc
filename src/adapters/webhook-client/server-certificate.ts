import type { X509Certificate } from 'node:crypto';
import type { ServerCertificate } from '../../apiserver/admission/webhooks/call.ts';
import { namesIn } from './verify-hostname.ts';

/** What a refused certificate says of itself, and the name it had to have. */
export const shownBy = (leaf: X509Certificate, serverName: string): ServerCertificate => ({
  subject: oneLine(leaf.subject),
  issuer: oneLine(leaf.issuer),
  names: namesIn(leaf),
  notBefore: Date.parse(leaf.validFrom),
  notAfter: Date.parse(leaf.validTo),
  serverName,
});

/** Node prints a part of a name a line; without any it prints nothing. */
const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ');
