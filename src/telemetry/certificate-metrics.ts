import { X509Certificate } from 'node:crypto';
import { asObject, asString } from '../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import type { Finished } from '../request/handle.ts';
import { responseCode } from '../request/response-code.ts';
import { createCounter } from './counter.ts';
import type { Family } from './family.ts';

/** Counts issued certificates whose requests named a duration, and those that have it. */
export interface CertificateMetrics {
  readonly record: (finished: Finished) => void;
  readonly families: readonly Family[];
}

/** Follows kubernetes pkg/registry/certificates/certificates/storage/metrics.go: only a write of /status that is kept counts. */
export function createCertificateMetrics(): CertificateMetrics {
  const [requested, honored] = [
    counter('requested', '[ALPHA] Issued certificates whose requests named a duration.'),
    counter('honored', '[ALPHA] Issued certificates that have the duration that was asked for.'),
  ];
  return {
    record: (finished) => {
      const issued = issuedBy(finished);
      if (typeof issued?.expirationSeconds !== 'number') return;
      const { certificate, expirationSeconds, signerName } = issued;
      const signer = asString(signerName).startsWith('kubernetes.io/') ? asString(signerName) : 'other';
      requested.add(signer);
      const seconds = lifetimeOf(certificate);
      if (seconds !== undefined && isHonored(expirationSeconds, seconds)) honored.add(signer);
    },
    families: [requested.family, honored.family],
  };
}

interface Issued {
  readonly certificate: string;
  readonly expirationSeconds: JsonValue | undefined;
  readonly signerName: JsonValue | undefined;
}

/** What a write of /status has just issued, with what was asked for; undefined for any other. */
function issuedBy({ info, exchange, response }: Finished): Issued | undefined {
  if (info.type !== 'resource' || info.group !== 'certificates.k8s.io' || info.subresource !== 'status')
    return undefined;
  if (!exchange?.current || responseCode(response) !== 200 || exchange.options.dryRun.length > 0) return undefined;
  const before = certificateOf(exchange.current.view);
  const certificate = certificateOf(exchange.object);
  const { expirationSeconds, signerName } = asObject(exchange.current.view['spec']);
  return before === '' && certificate !== '' ? { certificate, expirationSeconds, signerName } : undefined;
}

const certificateOf = (request: JsonObject | null): string => asString(asObject(request?.['status'])['certificate']);

const counter = (what: string, help: string) =>
  createCounter(`apiserver_certificates_registry_csr_${what}_duration_total`, help, ['signerName']);

/** Of the first certificate; undefined when it cannot be read. */
function lifetimeOf(issued: string): number | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(issued, 'base64'));
    return (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
  } catch {
    return undefined;
  }
}

/** Certificates are dated back by five minutes, and one part in twenty is no matter. */
const isHonored = (wanted: number, got: number): boolean => Math.abs(wanted - got) < 5 * 60 + wanted / 20;
