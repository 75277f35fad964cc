import { append, setOwn } from '../../../machinery/json/json.ts';
import { unescaped } from '../../../machinery/json/unescaped.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import type { UserInfo } from '../user.ts';

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * undefined without Impersonate headers; 400 for groups or extra without a user. Follows apiserver
 * pkg/endpoints/filters/impersonation/constrained_impersonation.go.
 */
export function wantedUser(headers: RequestHeaders): Result<UserInfo | undefined> {
  if (!mentionsImpersonation(headers)) return ok(undefined);
  const user: UserInfo = {
    username: valuesOf(headers, 'impersonate-user')[0] ?? '',
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    extra: extraOf(headers),
  };
  if (user.username !== '') return ok(user);
  if (user.uid === '' && user.groups.length === 0 && Object.keys(user.extra).length === 0) return ok(undefined);
  return refuse(badRequest(`requested ${goText(user)} without impersonating a user name`));
}

/** A fast path for most requests. */
function mentionsImpersonation(headers: RequestHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

const extraPrefix = 'impersonate-extra-';

function extraOf(headers: RequestHeaders): UserInfo['extra'] {
  const extra: Record<string, string[]> = {};
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = extraKey(header);
    const before = Object.hasOwn(extra, key) ? extra[key] : undefined;
    if (before) append(before, valuesOf(headers, header));
    else setOwn(extra, key, [...valuesOf(headers, header)]);
  }
  return extra;
}

/** Percent-decoded if possible. */
const extraKey = (header: string): string => unescaped(header.slice(extraPrefix.length));

/** As Go's %#v. */
function goText({ username, uid, groups, extra }: UserInfo): string {
  const keys = Object.keys(extra).toSorted();
  const values = keys.map((key) => `${goQuote(key)}:${listText(extra[key] ?? [])}`);
  const extras = keys.length === 0 ? '(nil)' : `{${values.join(', ')}}`;
  const groupTexts = groups.length === 0 ? '[]string(nil)' : listText(groups);
  return `&user.DefaultInfo{Name:${goQuote(username)}, UID:${goQuote(uid)}, Groups:${groupTexts}, Extra:map[string][]string${extras}}`;
}

const listText = (texts: readonly string[]): string => `[]string{${texts.map(goQuote).join(', ')}}`;
