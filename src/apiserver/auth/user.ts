import type { JsonObject } from '../../machinery/json/json.ts';

/** Who is asking, as AdmissionReview's `userInfo` and SelfSubjectReview show it. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const anonymousName = 'system:anonymous';
export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';

/** The user as `userInfo` is printed: empty fields left out. Follows api authentication/v1 UserInfo (rule REV-3). */
export function userInfoJson({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
