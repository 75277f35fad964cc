import { syncObjects } from './workloads/follow-pods.ts';
import { encodeBytes } from '../machinery/go/base64-bytes.ts';
import { asList, asObject, type JsonObject } from '../machinery/json/json.ts';
import { ok } from '../machinery/meta/result.ts';
import { formatTime } from '../machinery/meta/time.ts';
import type { CertificateSigningRequest } from '../api/types/generated/certificates-v1.ts';
import { controllerUser } from './client.ts';
import { type Controller, signerNames, type SigningRequest } from './controller.ts';
import { ignoreLostRace, putStatus } from './write-object.ts';

const requests = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };

/**
 * Signs approved CertificateSigningRequests of the signers that a cluster's controller manager has. Follows
 * pkg/controller/certificates/{certificate_controller,signer/signer}.go.
 */
export const certificateSigner: Controller = (context) => {
  const { clock, signRequest } = context;
  const client = context.clientFor(controllerUser('certificate-controller'));
  const queue = syncObjects(context, requests, async (request: CertificateSigningRequest) => {
    const order = toSigningRequest(request);
    if (!order || !signRequest) return ok(undefined);
    const signed = await signRequest(order);
    const status: JsonObject =
      'certificate' in signed
        ? { ...request.status, certificate: encodeBytes(new TextEncoder().encode(signed.certificate)) }
        : {
            ...request.status,
            conditions: [...asList(request.status?.conditions), failedCondition(signed.failure, clock.now())],
          };
    return ignoreLostRace(await putStatus(client, requests, request, status));
  });
  return queue.progress;
};

/** undefined for a request that is not approved, is done, or is for another signer. */
function toSigningRequest({ spec, status }: CertificateSigningRequest): SigningRequest | undefined {
  const { signerName, request, usages, expirationSeconds } = asObject(spec);
  const conditions = asList(status?.conditions);
  const has = (type: string): boolean => conditions.some((one) => one.type === type);
  const known = signerNames.find((name) => name === signerName);
  const isDone = (status?.certificate ?? '') !== '' || has('Denied') || has('Failed');
  if (known === undefined || typeof request !== 'string' || isDone || !has('Approved')) return undefined;
  return { request, signerName: known, usages: asList(usages), expirationSeconds };
}

const failedCondition = (message: string, now: number): JsonObject => ({
  type: 'Failed',
  status: 'True',
  reason: 'SignerValidationFailure',
  message,
  lastUpdateTime: formatTime(now),
});
