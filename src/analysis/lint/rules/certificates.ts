import type { X509Certificate } from 'node:crypto';
import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { readCaBundle } from '../../../adapters/webhook-client/ca-bundle.ts';
import { verifyCertificate } from '../../../adapters/webhook-client/verify-certificate.ts';
import type { CertificateChecks } from '../lint.ts';
import { findObject, type LintHook, type LintSet, effectiveNamespace, templatesFor } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, webhookTitle, webhookField } from '../finding.ts';

const dayMs = 86_400_000;
const expiryWarningMs = 30 * dayMs;

/** Tools that fill in the caBundle. */
const injectionAnnotations = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

const isInjected = ({ at }: LintHook): boolean => {
  const annotations = asObject(valueAt(at.object, 'metadata', 'annotations'));
  return injectionAnnotations.some((key) => annotations[key] !== undefined);
};

/** A caBundle that is invalid or expired. */
const caBundle: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const text = hook.webhook.clientConfig.caBundle ?? '';
    if (text === '' || isPlaceholder(text) || isInjected(hook)) return [];
    const reading = readCaBundle(text);
    if (reading.outcome === 'unreadable') return [caBundleFinding(hook, `cannot be read: ${reading.error}`)];
    const over = reading.certificates.filter((one) => Date.parse(one.validTo) < set.now);
    const [first] = reading.certificates;
    if (over.length === reading.certificates.length && first)
      return [caBundleFinding(hook, `expired on ${expiryDate(first)}`)];
    const ending = reading.certificates.filter((one) => Date.parse(one.validTo) < set.now + expiryWarningMs);
    if (ending.length < reading.certificates.length || !first) return [];
    return [
      {
        ...caBundleFinding(hook, `expires on ${expiryDate(first)}`),
        severity: 'warning' as const,
        harm: 'after that day, every call fails in the TLS handshake: x509: certificate has expired',
      },
    ];
  });

/** `Cg==` is an empty line: kubebuilder's placeholder. */
const isPlaceholder = (text: string): boolean =>
  Buffer.from(text, 'base64').toString('latin1').trim() === '' || /^[A-Z_${}]+$/.test(text);

const caBundleFinding = (hook: LintHook, what: string): UnplacedFinding => ({
  ...webhookField(hook, 'clientConfig'),
  rule: 'ca-bundle',
  severity: 'error',
  title: `caBundle of ${webhookTitle(hook)} ${what}`,
  harm: `every call fails in the TLS handshake: x509: certificate signed by unknown authority${hook.webhook.failurePolicy === 'Fail' ? ', and every request is refused' : ', and every request is admitted without the webhook'}`,
  remedy: 'set the PEM certificate of the CA in base64 (encoded once), or let cert-manager inject it',
});

const expiryDate = ({ validTo }: X509Certificate): string => new Date(validTo).toISOString().slice(0, 10);

/** The backend's serving certificate does not match the Service or the caBundle. */
const serverCertificate: LintCheck = (set) =>
  set.hooks.flatMap((hook) => {
    const { service, webhook } = hook;
    const own = service && findServingCertificate(set, service);
    if (!service || !own) return [];
    const roots = readCaBundle(webhook.clientConfig.caBundle ?? '');
    const authorities = roots.outcome === 'read' ? roots.certificates : [];
    const [leaf, ...intermediates] = own.certificates;
    if (leaf === undefined) return [];
    const error = verifyCertificate({
      leaf,
      intermediates,
      now: set.now,
      serverName: `${service.name}.${service.namespace}.svc`,
      trusted: authorities.length === 0,
      roots: () => authorities,
    });
    if (error === undefined) return [];
    return [
      {
        ...webhookField(hook, 'clientConfig'),
        rule: 'server-certificate',
        severity: 'error',
        title: `the certificate in Secret ${own.secret}, which the backend of ${webhookTitle(hook)} mounts, is not valid: ${error.text}`,
        harm: `every call fails in the TLS handshake${webhook.failurePolicy === 'Fail' ? ', and every request is refused' : ', and every request is admitted without the webhook'}`,
        remedy: `issue a certificate for ${service.name}.${service.namespace}.svc with the CA of caBundle`,
      },
    ];
  });

interface MountedCertificate {
  readonly secret: string;
  readonly certificates: readonly X509Certificate[];
}

/** The TLS Secret among the volumes of the Service's workload. */
function findServingCertificate(
  set: LintSet,
  { namespace, name }: NonNullable<LintHook['service']>,
): MountedCertificate | undefined {
  const selector = asObject(valueAt(findObject(set, 'Service', namespace, name)?.object, 'spec', 'selector'));
  const names = templatesFor(set, namespace, selector).flatMap((template) => {
    const volumes = valueAt(template, 'spec', 'volumes');
    return (Array.isArray(volumes) ? volumes : []).map((volume) => asString(valueAt(volume, 'secret', 'secretName')));
  });
  const secret = set.objects.find(
    (one) => one.kind === 'Secret' && effectiveNamespace(one) === namespace && names.includes(one.name),
  );
  if (secret === undefined) return undefined;
  const data = asString(valueAt(secret.object, 'data', 'tls.crt'));
  const plain = asString(valueAt(secret.object, 'stringData', 'tls.crt'));
  const reading = readCaBundle(data || Buffer.from(plain).toString('base64'));
  return reading.outcome === 'read'
    ? { secret: secret.title.replace(/^Secret /, ''), certificates: reading.certificates }
    : undefined;
}

export const certificateChecks: CertificateChecks = { 'ca-bundle': caBundle, 'server-certificate': serverCertificate };
