import { expect, test } from 'vitest';
import {
  certificateApproval,
  certificateSigning,
} from '../../../../src/apiserver/admission/plugins/certificate-plugins.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import type { BuiltinPlugin } from '../../../../src/apiserver/admission/chain/plugin.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

const signer = 'example.com/client';
const csr = (status: JsonObject = {}): KubernetesObject =>
  object('certificates.k8s.io/v1', 'CertificateSigningRequest', 'c', { spec: { signerName: signer }, status });
const update = (subresource: string, status: JsonObject = {}): AdmissionAttributes =>
  creating(csr(status), 'certificatesigningrequests', {
    operation: 'UPDATE',
    namespace: '',
    subresource,
    oldObject: csr(),
  });
const subject = 'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to';

// Source: kubernetes plugin/pkg/admission/certificates/approval/admission_test.go and signing/admission_test.go
const facts: readonly [
  fact: string,
  plugin: BuiltinPlugin,
  request: AdmissionAttributes,
  allowed: string,
  message: string | undefined,
][] = [
  ['who may approve for the signer approves', certificateApproval, update('approval'), `approve ${signer}`, undefined],
  ['or for all of its domain', certificateApproval, update('approval'), 'approve example.com/*', undefined],
  [
    'others do not',
    certificateApproval,
    update('approval'),
    'sign example.com/*',
    `${subject} approve requests with signerName "${signer}"`,
  ],
  ['other updates are not approvals', certificateApproval, update(''), 'nothing', undefined],
  ['who may sign signs', certificateSigning, update('status', { certificate: 'x' }), `sign ${signer}`, undefined],
  [
    'others do not sign',
    certificateSigning,
    update('status', { certificate: 'x' }),
    `approve ${signer}`,
    `${subject} sign requests with signerName "${signer}"`,
  ],
  ['a status that says nothing new is no signature', certificateSigning, update('status'), 'nothing', undefined],
];
test.each(facts)('%s', async (_fact, ...[plugin, request, allowed, message]) => {
  const answer = await plugin.validate?.(request, {
    ...portsOf(clusterOf({})),
    authorize: (question) => ({
      allowed: question.type === 'resource' && `${question.verb} ${question.name}` === allowed,
      reason: '',
    }),
  });
  expect(refusalOf(answer)?.message).toBe(message);
});
