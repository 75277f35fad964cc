import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { parseTime } from '../../machinery/meta/time.ts';
import type { TokenSource } from './bearer-token.ts';

export interface BootstrapTokens {
  readonly cluster: ClusterView;
  readonly apiAudiences: readonly string[];
  readonly now: () => number;
}

const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Tokens in Secrets of type bootstrap.kubernetes.io/token. Follows kubernetes
 * plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go and cluster-bootstrap token/util.
 */
export const bootstrapSource =
  ({ cluster, apiAudiences, now }: BootstrapTokens): TokenSource =>
  async (token, audiences) => {
    const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
    const served = apiAudiences.filter((audience) => audiences.includes(audience));
    if (id === undefined || served.length === 0) return undefined;
    const stored = cluster.get({ group: '', resource: 'secrets' }, 'kube-system', `bootstrap-token-${id}`);
    if (!stored || stored['type'] !== 'bootstrap.kubernetes.io/token') return undefined;
    if (metadataOf(stored).deletionTimestamp !== undefined) return undefined;
    const data = asObject(stored['data']);
    const field = (key: string): string => new TextDecoder().decode(base64Bytes(asString(data[key])));
    const groups = field('auth-extra-groups')
      .split(',')
      .filter((group) => group !== '');
    const isGood =
      field('token-secret') === secret &&
      field('token-id') === id &&
      field('usage-bootstrap-authentication') === 'true' &&
      isCurrent(field('expiration'), now()) &&
      groups.every((group) => extraGroup.test(group));
    if (!isGood) return undefined;
    const user = {
      username: `system:bootstrap:${id}`,
      uid: '',
      groups: [...new Set(['system:bootstrappers', ...groups])].toSorted(),
      extra: {},
    };
    return { outcome: 'verified', user, audiences: served };
  };

/** Without expiration it is valid; an unreadable one has expired. */
function isCurrent(expiration: string, now: number): boolean {
  if (expiration === '') return true;
  const end = parseTime(expiration);
  return end.outcome === 'parsed' && end.moment.seconds * 1000 > now;
}
