import { issueClientCertificate } from '../../adapters/certificates/open-certificates.ts';
import type { KeyedCertificate } from '../../adapters/certificates/issue-certificate.ts';
import { jsonResponse, readJsonBody, statusResponse } from '../../adapters/http/json-body.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { badRequest } from '../../machinery/meta/status.ts';

export interface UserPorts {
  /** Signs certificates of users. */
  readonly authority: KeyedCertificate;
  /** PEM of the CAs that clients trust. */
  readonly caPem: string;
}

const path = '/kadmit/v1/users';

/**
 * `POST /kadmit/v1/users` with `{"name":"ann","groups":["devs"],"uid":"42"}` issues a client certificate: `{ certificate,
 * key, ca }`. undefined for any other request.
 */
export const serveUsers =
  (ports: UserPorts) =>
  (request: Pick<ApiRequest, 'method' | 'path' | 'body'>): Promise<ApiResponse> | undefined =>
    request.method === 'POST' && request.path === path ? answer(request, ports) : undefined;

async function answer(request: Pick<ApiRequest, 'body'>, { authority, caPem }: UserPorts): Promise<ApiResponse> {
  const reading = readJsonBody(request);
  if (reading.outcome === 'unreadable') return statusResponse(badRequest(reading.problem));
  const { name, groups, uid } = asObject(reading.value);
  const subject = { commonName: asString(name), organizations: asList(groups).map(asString), uid: asString(uid) };
  const problem = subjectProblem(subject);
  if (problem !== undefined) return statusResponse(badRequest(problem));
  const { certificate, key } = await issueClientCertificate(authority, subject);
  return jsonResponse({ certificate, key, ca: caPem });
}

const maxLength = 1000;
const maxGroups = 100;

function subjectProblem(subject: Parameters<typeof issueClientCertificate>[1]): string | undefined {
  const { commonName, organizations = [], uid = '' } = subject;
  if (commonName === '') return 'name is required';
  if (organizations.includes('')) return 'a group is empty';
  if (organizations.length > maxGroups) return `there are more than ${maxGroups} groups`;
  const isLong = [commonName, ...organizations, uid].some((text) => text.length > maxLength);
  return isLong ? `name, groups and uid have at most ${maxLength} characters each` : undefined;
}
