import { allowed, changed, refused } from '../answer.js';

/** A CertificateRequest gets the name of its creator, which cannot be changed; a Certificate needs a Secret and a name. */
export default ({ request: { kind, object, oldObject, operation, userInfo, name } }) => {
  if (kind.kind === 'CertificateRequest') {
    if (operation === 'CREATE' && object.spec.username === undefined) {
      return changed([{ op: 'add', path: '/spec/username', value: userInfo.username }]);
    }
    return operation === 'UPDATE' && object.spec.username !== oldObject.spec.username
      ? refused('spec.username: Forbidden: username identity cannot be changed once set', 422)
      : allowed;
  }
  const { secretName, commonName, dnsNames = [] } = object.spec ?? {};
  if (!secretName) return refused('spec.secretName: Required value: must be specified', 422);
  if (!commonName && dnsNames.length === 0) {
    return refused(`spec: Invalid value: "${name}": at least one of commonName or dnsNames must be set`, 422);
  }
  return allowed;
};
