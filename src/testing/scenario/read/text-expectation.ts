import { errorText } from '../../../machinery/errors.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { TextExpectation } from '../format.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { scalarText } from './scalar-text.ts';

/** An exact text, `/a pattern/` with its flags, `{matches: …}` or `{contains: …}`. */
export function readTextExpectation(at: Located, problems: Problems): TextExpectation {
  const { value } = at;
  if (isJsonObject(value)) {
    const { matches, contains } = value;
    if (typeof matches === 'string') return readPattern(matches, '', { at, problems });
    return { pattern: new RegExp(escaped(scalarText(contains))) };
  }
  const slashed = /^\/(?<source>.+)\/(?<flags>[imsu]*)$/s.exec(scalarText(value))?.groups;
  if (slashed) return readPattern(slashed['source'] ?? '', slashed['flags'] ?? '', { at, problems });
  return { exact: scalarText(value) };
}

interface Where {
  readonly at: Located;
  readonly problems: Problems;
}

function readPattern(source: string, flags: string, { at, problems }: Where): TextExpectation {
  try {
    return { pattern: new RegExp(source, flags) };
  } catch (error) {
    problems.at(at, errorText(error));
    return { exact: source };
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
