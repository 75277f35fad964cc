import type { CertificateSigningRequest, ClusterTrustBundle } from '../../../api/types/generated/certificates-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { byPermission, deny, byRule } from '../chain/refusal.ts';
import { onlyFor, pass, forResource } from './handled-resource.ts';
import { readCertificateRequest } from '../../../api/validation/certificates/x509.ts';

interface SignerRule {
  readonly name: string;
  readonly operations: SyncPlugin['operations'];
  readonly resource: string;
  readonly subresource: string;
  readonly verb: 'approve' | 'sign' | 'attest';
  /** `approve requests with`, as the error says. */
  readonly act: string;
  /** The signer whose permission the request needs; undefined for none. */
  readonly signerOf: (request: AdmissionAttributes) => string | undefined;
}

/** The request needs the verb on its signer. */
function createSignerPlugin({ name, operations, resource, subresource, verb, act, signerOf }: SignerRule): SyncPlugin {
  const group = 'certificates.k8s.io';
  return {
    name,
    operations,
    validate: onlyFor([{ group, resource }], (request: AdmissionAttributes, { authorize }) => {
      const { resource: requested, userInfo } = request;
      const isHandled = requested.group === group && requested.resource === resource;
      const signer = isHandled && request.subresource === subresource ? signerOf(request) : undefined;
      if (signer === undefined || maySign(authorize, userInfo, verb, signer)) return pass(request);
      const source = byPermission(
        userInfo.username,
        `${verb} signers.certificates.k8s.io/${signer}`,
        'spec.signerName',
      );
      return deny(request, `user not permitted to ${act} signerName ${goQuote(signer)}`, source);
    }),
  };
}

/**
 * Checks the signer, then all signers of its domain. Follows kubernetes plugin/pkg/admission/certificates/util.go
 * IsAuthorizedForSignerName.
 */
function maySign(authorize: Authorize, user: UserInfo, verb: string, signerName: string): boolean {
  for (const name of [signerName, `${signerName.split('/')[0] ?? ''}/*`]) {
    const { allowed } = authorize({ ...signers, type: 'resource', user, verb, name });
    if (allowed) return true;
  }
  return false;
}

const signers = {
  group: 'certificates.k8s.io',
  version: '*',
  resource: 'signers',
  subresource: '',
  namespace: '',
} as const;

const signerOfRequest = (request: CertificateSigningRequest | null): string => asString(request?.spec?.signerName);

/** Follows kubernetes plugin/pkg/admission/certificates/approval/admission.go (rule PLG-21). */
export const certificateApproval = createSignerPlugin({
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  resource: 'certificatesigningrequests',
  subresource: 'approval',
  verb: 'approve',
  act: 'approve requests with',
  signerOf: ({ oldObject }) => signerOfRequest(oldObject),
});

/**
 * Writing a certificate or its conditions. Follows kubernetes plugin/pkg/admission/certificates/signing/admission.go
 * (rule PLG-21).
 */
export const certificateSigning = createSignerPlugin({
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  resource: 'certificatesigningrequests',
  subresource: 'status',
  verb: 'sign',
  act: 'sign requests with',
  signerOf: ({ object, oldObject }) => (sameOutcome(object, oldObject) ? undefined : signerOfRequest(oldObject)),
});

function sameOutcome(object: CertificateSigningRequest | null, oldObject: CertificateSigningRequest | null): boolean {
  const [status, old] = [asObject(object?.status), asObject(oldObject?.status)];
  return sameJson(status.certificate, old.certificate) && sameJson(status.conditions, old.conditions);
}

/** Follows kubernetes plugin/pkg/admission/certificates/ctbattest/admission.go. */
export const clusterTrustBundleAttest = createSignerPlugin({
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  resource: 'clustertrustbundles',
  subresource: '',
  verb: 'attest',
  act: 'attest for',
  signerOf: ({ object, oldObject }) => {
    const bundle: ClusterTrustBundle | null = object;
    if (
      object !== null &&
      oldObject !== null &&
      sameJson(withoutCollectorFields(object), withoutCollectorFields(oldObject))
    )
      return undefined;
    return asString(bundle?.spec?.signerName) || undefined;
  },
});

/** Without what the garbage collector or a storage migration changes. */
function withoutCollectorFields(object: KubernetesObject): KubernetesObject {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Denies client CSRs for the group system:masters. Follows kubernetes
 * plugin/pkg/admission/certificates/subjectrestriction/admission.go (rule PLG-21).
 */
export const certificateSubjectRestriction: SyncPlugin = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate: forResource({ group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }, (request) => {
    const { signerName, request: encoded } = asObject(request.object.spec);
    if (signerName !== clientSigner) return pass(request);
    const reading = readCertificateRequest(asString(encoded));
    if (reading.outcome === 'corrupt') {
      return deny(
        request,
        `failed to parse CSR: ${reading.error}`,
        byRule('spec.request', 'a PKCS #10 request as PEM'),
      );
    }
    if (!reading.organizations.includes('system:masters')) return pass(request);
    return deny(
      request,
      `use of ${clientSigner} signer with system:masters group is not allowed`,
      byRule('spec.request', 'a subject without the organization system:masters'),
    );
  }),
};
