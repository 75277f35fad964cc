import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { StrategyContext } from './strategy.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withField } from './with-field.ts';

const anyName = (): readonly string[] => [];

/** Follows kubernetes pkg/registry/certificates/certificates/strategy.go. */
export const certificateSigningRequestRules: ResourceRules = {
  scope: 'Cluster',
  name: anyName,
  emptyStatus: {},
  prepareForCreate: (request, { user }) => ok(withRequester(request, user)),
  restore: {
    '': (request, old) => withField(withField(request, 'spec', old['spec']), 'status', old['status']),
    status: (request, old) => {
      const { certificate, conditions } = asObject(request['status']);
      const kept = withDecisions(asList(conditions), asList(asObject(old['status'])['conditions']));
      return withStatus(request, old, kept, certificate);
    },
    approval: (request, old) => {
      const { conditions } = asObject(request['status']);
      return withStatus(request, old, asList(conditions), asObject(old['status'])['certificate']);
    },
  },
  prepareForUpdate: (request, old, subresource, { now }) =>
    ok(subresource === '' ? request : withConditionTimes(request, old, formatTime(now))),
};

/** Who asks is not for the client to say. */
function withRequester(request: KubernetesObject, user: StrategyContext['user']): KubernetesObject {
  const { username, uid, groups, extra } = user;
  const requester = {
    username: username || undefined,
    uid: uid || undefined,
    groups: groups.length > 0 ? groups : undefined,
    extra: Object.keys(extra).length > 0 ? extra : undefined,
  };
  return withField(request, 'spec', { ...asObject(request['spec']), ...requester });
}

/** Decisions stay as they were where there are as many; validation refuses one more or one less. */
const withDecisions = (conditions: readonly JsonValue[], old: readonly JsonValue[]): readonly JsonValue[] =>
  ['Approved', 'Denied'].reduce<readonly JsonValue[]>((so, type) => {
    const isIt = (condition: JsonValue): boolean => asString(asObject(condition)['type']) === type;
    const before = old.filter(isIt);
    if (before.length !== so.filter(isIt).length) return so;
    let next = 0;
    return so.map((condition) => (isIt(condition) ? (before[next++] ?? condition) : condition));
  }, conditions);

function withStatus(
  request: KubernetesObject,
  old: KubernetesObject,
  conditions: readonly JsonValue[],
  certificate: JsonValue | undefined,
): KubernetesObject {
  const status: JsonObject = {
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(certificate === undefined ? {} : { certificate }),
  };
  return withField(withField(request, 'spec', old['spec']), 'status', status);
}

/** Conditions get the times they lack: of the update now, of the transition from the condition they replace. */
function withConditionTimes(request: KubernetesObject, old: KubernetesObject, now: string): KubernetesObject {
  const status = asObject(request['status']);
  const before = asList(asObject(old['status'])['conditions']).map(asObject);
  if (asList(status['conditions']).length === 0) return request;
  const conditions = asList(status['conditions']).map((item) => {
    const condition = asObject(item);
    const same = before.find(({ type, status: value }) => type === condition['type'] && value === condition['status']);
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? now,
      lastTransitionTime: condition['lastTransitionTime'] ?? same?.['lastTransitionTime'] ?? now,
    };
  });
  return withField(request, 'status', { ...status, conditions });
}
