import { X509Certificate } from 'node:crypto';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { Finished } from '../../apiserver/request/handle.ts';
import { responseCode } from '../../apiserver/request/response-code.ts';

/**
 * Counts issued certificates whose requests named a duration. Follows kubernetes
 * pkg/registry/certificates/certificates/storage/metrics.go: only stored writes of /status count.
 */
export function createCertificateMetrics(registry: Registry): (finished: Finished) => void {
  const counter = (what: string, help: string): Counter =>
    new Counter({
      name: `apiserver_certificates_registry_csr_${what}_duration_total`,
      help,
      labelNames: ['signerName'],
      registers: [registry],
    });
  const requested = counter('requested', '[ALPHA] Issued certificates whose requests named a duration.');
  const honored = counter('honored', '[ALPHA] Issued certificates that have the requested duration.');
  return (finished) => {
    const issued = issuedBy(finished);
    if (typeof issued?.expirationSeconds !== 'number') return;
    const { certificate, expirationSeconds } = issued;
    const signerName = asString(issued.signerName).startsWith('kubernetes.io/') ? asString(issued.signerName) : 'other';
    requested.inc({ signerName });
    const seconds = lifetimeOf(certificate);
    if (seconds !== undefined && isHonored(expirationSeconds, seconds)) honored.inc({ signerName });
  };
}

interface Issued {
  readonly certificate: string;
  readonly expirationSeconds: JsonValue | undefined;
  readonly signerName: JsonValue | undefined;
}

/** The certificate that a write of /status issued. */
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

/** Of the first certificate; undefined when it is unreadable. */
function lifetimeOf(issued: string): number | undefined {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(issued, 'base64'));
    return (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
  } catch {
    return undefined;
  }
}

/** Certificates are backdated by five minutes; 5 % tolerance. */
const isHonored = (wanted: number, got: number): boolean => Math.abs(wanted - got) < 5 * 60 + wanted / 20;
