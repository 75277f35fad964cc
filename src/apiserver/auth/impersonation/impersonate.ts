import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AuthorizationQuestion, Authorize } from '../authorizer.ts';
import { notAllowed } from '../forbidden.ts';
import { groupsOfServiceAccount, parseServiceAccountUsername } from '../service-account-user.ts';
import { allAuthenticated, allUnauthenticated, anonymousName } from '../user.ts';
import type { UserInfo } from '../user.ts';
import { mayBe } from './may-be.ts';
import { impersonationModes, nodeOfUsername } from './modes.ts';
import type { ImpersonationMode } from './modes.ts';
import { wantedUser } from './wanted-user.ts';
import type { RequestHeaders } from './wanted-user.ts';

export interface Impersonated {
  readonly user: UserInfo;
  /** `impersonate:user-info`; absent for `impersonate` itself. */
  readonly constraint?: string;
}

/** `asked` is the request's own authorization question. */
export type Impersonate = (asked: AuthorizationQuestion, headers: RequestHeaders) => Promise<Result<Impersonated>>;

/**
 * Tries the requester's last successful mode first. Follows apiserver
 * pkg/endpoints/filters/impersonation/constrained_impersonation.go, without its caches of ten seconds.
 */
export function createImpersonate(authorize: Authorize): Impersonate {
  const lastModes = createLastModes();
  return async (asked, headers) => {
    const wanted = wantedUser(headers);
    if (!wanted.ok) return wanted;
    const requester = asked.user;
    if (!wanted.value) return ok({ user: requester });
    const found = await modeFor(wanted.value, asked, lastModes.inOrder(requester.username), authorize);
    if (!found.ok) return found;
    const { value: mode } = found;
    lastModes.remember(requester.username, mode);
    const constraint = mode.name === 'legacy' ? {} : { constraint: `impersonate:${mode.name}` };
    return ok({ user: become(wanted.value, mode), ...constraint });
  };
}

/** The first mode that allows it. */
async function modeFor(
  wanted: UserInfo,
  asked: AuthorizationQuestion,
  modes: readonly ImpersonationMode[],
  authorize: Authorize,
): Promise<Result<ImpersonationMode>> {
  let refusal: Status | undefined;
  for (const mode of modes) {
    if (!mode.supports(wanted, asked.user)) continue;
    const answer = await mayInMode(wanted, asked, mode, authorize);
    if (answer.ok) return ok(mode);
    refusal ??= answer.status;
  }
  return refuse(refusal ?? notAllowed(asked, 'all impersonation modes failed'));
}

async function mayInMode(
  wanted: UserInfo,
  asked: AuthorizationQuestion,
  mode: ImpersonationMode,
  authorize: Authorize,
): Promise<Result<undefined>> {
  if (mode.name !== 'legacy') {
    const question = mode.put({ ...asked, verb: `impersonate-on:${mode.name}:${asked.verb}` });
    const { allowed, reason } = await authorize(question);
    if (!allowed) return refuse(notAllowed(question, reason));
  }
  return mayBe(wanted, asked.user, mode, authorize);
}

function become(wanted: UserInfo, { name }: ImpersonationMode): UserInfo {
  const account = parseServiceAccountUsername(wanted.username);
  const isNode = name !== 'legacy' && nodeOfUsername(wanted.username) !== undefined;
  const own = account && wanted.groups.length === 0 ? groupsOfServiceAccount(account.namespace) : wanted.groups;
  return { ...wanted, groups: withImpliedGroup(wanted.username, isNode ? ['system:nodes'] : own) };
}

function withImpliedGroup(username: string, groups: readonly string[]): readonly string[] {
  if (username === anonymousName) return groups.includes(allUnauthenticated) ? groups : [...groups, allUnauthenticated];
  return groups.includes(allAuthenticated) || groups.includes(allUnauthenticated)
    ? groups
    : [...groups, allAuthenticated];
}

const mostRequesters = 10_000;

/** The last successful mode by requester. */
function createLastModes() {
  const last = new Map<string, ImpersonationMode>();
  return {
    inOrder: (username: string): readonly ImpersonationMode[] => {
      const first = last.get(username);
      return first ? [first, ...impersonationModes.filter((mode) => mode !== first)] : impersonationModes;
    },
    remember: (username: string, mode: ImpersonationMode): void => {
      last.delete(username);
      last.set(username, mode);
      const [oldest] = last.size > mostRequesters ? last.keys() : [];
      if (oldest !== undefined) last.delete(oldest);
    },
  };
}
