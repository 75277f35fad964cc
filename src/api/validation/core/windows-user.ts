import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { Complaints } from '../field-rules.ts';

const controls = /[\p{Cc}]/u;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;

/** `user` or `DOMAIN\user`. Follows kubernetes pkg/apis/core/validation validateWindowsSecurityContextOptions. */
export function windowsUserErrors(name: string, field: string): Complaints {
  const whole = nameProblem(name);
  const [first = '', second] = name.split('\\');
  const problems = whole === '' ? userProblems(second === undefined ? undefined : first, second ?? first) : [whole];
  return problems.map((problem) => invalidValue(field, name, `runAsUserName${problem}`));
}

function nameProblem(name: string): string {
  if (name === '') return ' cannot be an empty string';
  if (controls.test(name)) return ' cannot contain control characters';
  return name.split('\\').length > 2 ? ' cannot contain more than one backslash' : '';
}

function userProblems(domain: string | undefined, user: string): readonly string[] {
  const isStrange = domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain);
  return [
    (domain ?? '').length >= 256 ? "'s Domain length must be under 256 characters" : '',
    isStrange ? "'s Domain doesn't match the NetBios nor the DNS format" : '',
    user === '' ? "'s User cannot be empty" : '',
    user.length > 104 ? "'s User length must not be longer than 104 characters" : '',
    /^[. ]+$/.test(user) ? "'s User cannot contain only periods or spaces" : '',
    /["/\\:;|=,+*?<>@[\]]/.test(user) ? `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]` : '',
  ].filter((problem) => problem !== '');
}
