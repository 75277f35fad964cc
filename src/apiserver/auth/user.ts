import type { JsonObject } from '../../machinery/json/json.ts';

/** As in AdmissionReview's `userInfo` (rule REV-3) and SelfSubjectReview. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const anonymousName = 'system:anonymous';
export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';

export function userInfoJson({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
