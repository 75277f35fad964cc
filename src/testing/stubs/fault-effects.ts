import {
  bodyFailure,
  type CallPhase,
  type CallReply,
  callTarget,
  type CallTarget,
  noAddressText,
  postFailure,
  type ServerCertificate,
  timeoutQuery,
  type WebhookCall,
  type CertificateCause,
  type FailureCause,
} from '../../apiserver/admission/webhooks/call.ts';
import { isIP, isIPv6 } from '../../machinery/go/ip-address.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { flawedCertificate } from './stub-certificates.ts';
import type { ConnectionFault, CertificateFlaw } from './plan-response.ts';

export type FailedCall = Extract<CallReply, { readonly outcome: 'failed' }>;

/** undefined when the configuration has an address. */
export const withoutAddress = ({ clientConfig, webhookName }: WebhookCall): FailedCall | undefined =>
  callTarget(clientConfig) ? undefined : { outcome: 'failed', phase: 'client', error: noAddressText(webhookName) };

/** No response began. */
export function failedCall(call: WebhookCall, phase: CallPhase, text: string, cause?: FailureCause): FailedCall {
  const target = callTarget(call.clientConfig);
  if (!target) return { outcome: 'failed', phase: 'client', error: noAddressText(call.webhookName) };
  const { scheme, authority, path } = target;
  const url = `${scheme}://${authority}${path}${timeoutQuery(call.timeoutMs)}`;
  return { outcome: 'failed', phase, error: postFailure(url, text), detail: text, ...(cause && { cause }) };
}

/** The call ended while reading the body. */
export function failedBody(phase: CallPhase, text: string): FailedCall {
  const error = bodyFailure(text);
  return { outcome: 'failed', phase, error, detail: error };
}

/** `now`: milliseconds since 1970. */
export function brokenCall(call: WebhookCall, how: ConnectionFault, now: number): FailedCall {
  const target = callTarget(call.clientConfig);
  if (!target) return failedCall(call, 'client', '');
  switch (how) {
    case 'refuse': {
      const address = targetAddress(target);
      const text = `dial tcp ${address}: connect: connection refused`;
      return failedCall(call, 'connect', text, { because: 'connection-refused', address });
    }
    case 'reset':
      return failedCall(
        call,
        'headers',
        `read tcp ${localAddress}->${targetAddress(target)}: read: connection reset by peer`,
      );
    case 'dns':
      return failedCall(call, 'resolve', lookupText(call, target), {
        because: call.clientConfig.service ? 'service-missing' : 'host-unknown',
      });
    case 'tls-old-protocol':
      return failedCall(call, 'tls', 'remote error: tls: protocol version not supported', { because: 'old-protocol' });
    case 'tls-expired':
    case 'tls-wrong-name':
    case 'tls-unknown-ca':
      return untrustedCertificate(call, target.host, how, now);
  }
}

/** Fixed local address in these texts: the real port changes with each run. */
export const localAddress = '127.0.0.1:50000';

/** The remote address: that of the configuration, else loopback, where stubs listen. */
export function targetAddress({ host, port }: CallTarget): string {
  if (isIPv6(host)) return `[${host}]:${port}`;
  return `${isIP(host) ? host : '127.0.0.1'}:${port}`;
}

/** Services are looked up in the API, where it is missing; other names in DNS (rule HTTP-5). */
const lookupText = ({ clientConfig: { service } }: WebhookCall, { host }: CallTarget): string =>
  service ? `service ${goQuote(service.name)} not found` : `dial tcp: lookup ${host} on ${dnsServer}: no such host`;

/** The usual address of cluster DNS. */
export const dnsServer = '10.96.0.10:53';

function untrustedCertificate(call: WebhookCall, serverName: string, flaw: CertificateFlaw, now: number): FailedCall {
  const { names, notBefore, notAfter, subject, issuer } = flawedCertificate(flaw, serverName);
  const certificate: ServerCertificate = { subject, issuer, names, notBefore, notAfter, serverName };
  const failure = certificateError(flaw, certificate, now);
  const text = `tls: failed to verify certificate: x509: ${failure}`;
  return { ...failedCall(call, 'tls', text, { because: flawCauses[flaw] }), certificate };
}

const flawCauses: Readonly<Record<CertificateFlaw, CertificateCause>> = {
  'tls-expired': 'expired',
  'tls-wrong-name': 'name-mismatch',
  'tls-unknown-ca': 'unknown-authority',
};

/** Follows Go's crypto/x509 verify.go. */
function certificateError(
  flaw: CertificateFlaw,
  { names, notAfter, serverName }: ServerCertificate,
  now: number,
): string {
  switch (flaw) {
    case 'tls-expired':
      return `certificate has expired or is not yet valid: current time ${formatTime(now)} is after ${formatTime(notAfter)}`;
    case 'tls-wrong-name':
      return isIP(serverName)
        ? `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`
        : `certificate is valid for ${names.join(', ')}, not ${serverName}`;
    case 'tls-unknown-ca':
      return 'certificate signed by unknown authority';
  }
}
